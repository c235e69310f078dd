import type { Bounds } from '../csv/row.ts';
import { quoted, RowError } from '../csv/row.ts';
import { elapsedS, type Instant, instantOf } from '../csv/wall-clock.ts';
import { csvImporter, recognised } from './csv-importer.ts';
import { REQUEST_SETTINGS, RequestJobs } from './llm-requests.ts';

const COLUMNS = ['TIMESTAMP', 'ContextTokens', 'GeneratedTokens'];
const IMAGES = 'NumImages';
const COUNT: Bounds = { min: 0, max: 1e9 };

/**
 * Azure LLM inference traces: 2023 (code, conv; Patel et al., Splitwise, ISCA 2024), 2024 (one week;
 * DynamoLLM) and 2025 (multimodal, with `NumImages`; ModServe, SoCC 2025). One row a request, stamps of up
 * to 100 ns without a zone or in UTC. Time 0 is the first request.
 */
export const azureLlm = csvImporter({
  name: 'azure-llm',
  title: 'Azure LLM inference requests (2023, 2024, 2025)',
  required: COLUMNS,
  settings: REQUEST_SETTINGS,
  detect: (columns) => recognised(columns, COLUMNS),
  plan({ path, settings, hasColumn }) {
    const requests = new RequestJobs(path, settings);
    const withImages = hasColumn(IMAGES);
    let first: Instant | null = null;
    let pictured = 0;
    return {
      options: requests.options,
      toJob(row) {
        const stamp = row.text('TIMESTAMP');
        const instant = instantOf(stamp);
        if (instant === null) {
          const expected = 'expected YYYY-MM-DD HH:MM:SS.fffffff';
          throw new RowError('TIMESTAMP', `${expected}, found ${quoted(stamp)}`);
        }
        const contextTokens = row.integer('ContextTokens', COUNT);
        const generatedTokens = row.integer('GeneratedTokens', COUNT);
        if (withImages && row.integer(IMAGES, COUNT) > 0) pictured += 1;
        first ??= instant;
        const atS = elapsedS(first, instant);
        return requests.toJob({
          atS,
          contextTokens,
          generatedTokens,
          model: null,
          row: row.number,
        });
      },
      finish(jobs) {
        // Not 0 only where the first row is not the earliest.
        const startS = jobs[0]?.submitS ?? 0;
        const whole = requests.finish(jobs);
        if (startS === 0) return whole;
        return whole.map((job) => ({ ...job, submitS: job.submitS - startS }));
      },
      assumed() {
        const lines = ['the first request is time 0; ids are row numbers', ...requests.assumed()];
        if (pictured > 0) lines.push(`the images of ${pictured} requests add no run time`);
        return lines;
      },
    };
  },
});
