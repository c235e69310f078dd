import { type Bounds, TIME_S } from '../csv/row.ts';
import { csvImporter, recognised } from './csv-importer.ts';
import { REQUEST_SETTINGS, RequestJobs } from './llm-requests.ts';

const COLUMNS = ['Timestamp', 'Model', 'Request tokens', 'Response tokens'];
const COUNT: Bounds = { min: 0, max: 1e9 };

/**
 * BurstGPT (Wang et al., arXiv 2401.17644): requests to ChatGPT and GPT-4, one a row, in seconds from
 * 0:00 of the first day. `BurstGPT_3` and later have the columns `Session ID` and `Elapsed time` too. A
 * response of 0 tokens is a failed request and left out.
 */
export const burstGpt = csvImporter({
  name: 'burst-gpt',
  title: 'BurstGPT requests',
  required: COLUMNS,
  settings: REQUEST_SETTINGS,
  detect: (columns) => recognised(columns, COLUMNS),
  plan({ path, settings, hasColumn }) {
    const requests = new RequestJobs(path, settings);
    const unused = ['Session ID', 'Elapsed time', 'Log Type'].filter(hasColumn);
    return {
      options: requests.options,
      toJob(row) {
        const atS = row.decimal('Timestamp', TIME_S);
        const contextTokens = row.integer('Request tokens', COUNT);
        const generatedTokens = row.integer('Response tokens', COUNT);
        const model = row.textOrNull('Model');
        if (generatedTokens === 0) return 'failed_request';
        return requests.toJob({ atS, contextTokens, generatedTokens, model, row: row.number });
      },
      finish: (jobs) => requests.finish(jobs),
      assumed() {
        const lines = [
          "times are seconds on the file's own clock; ids are row numbers",
          ...requests.assumed(),
        ];
        if (unused.length > 0) lines.push(`not kept: ${unused.join(', ')}`);
        return lines;
      },
    };
  },
});
