import { GPUS, quoted, RowError, TIME_S } from '../csv/row.ts';
import { wallClockS } from '../csv/wall-clock.ts';
import type { TraceJob } from '../workload.ts';
import { csvImporter, recognised } from './csv-importer.ts';
import { NAIVE, TraceClock } from './trace-clock.ts';
import { traceJob } from './trace-job.ts';

const COLUMNS = ['timestamp', 'duration', 'num_gpus', 'cluster'];

/** Ids are ranks, so the order of rows in the file does not show in them. */
function rank(jobs: readonly TraceJob[]): readonly TraceJob[] {
  const firstS = jobs[0]?.submitS ?? 0;
  const width = String(jobs.length).length;
  return jobs.map((job, index) => ({
    ...job,
    id: `philly-${String(index + 1).padStart(width, '0')}`,
    submitS: job.submitS - firstS,
  }));
}

/**
 * Microsoft Philly as Pollux published it (petuum/adaptdl, branch osdi21-artifact,
 * simulator/traces/philly.csv): one row a job, unsorted, stamps in US Pacific time without a zone.
 * Time 0 is the first submission. Trace: Jeon et al., ATC 2019.
 */
export const phillyCsv = csvImporter({
  name: 'philly-csv',
  title: 'Microsoft Philly, one row a job (Pollux/adaptdl)',
  required: COLUMNS,
  settings: [
    {
      name: 'timeZone',
      meaning:
        "'naive' (default) takes differences of the clock on the wall, as Pollux and Sia do; " +
        "'America/Los_Angeles' undoes the change of clocks on 2017-11-05",
    },
  ],
  detect: (columns) => recognised(columns, COLUMNS),
  plan({ path, settings }) {
    // Differences of the clock on the wall are what Pollux and Sia compute, so what compares with them.
    const clock = new TraceClock(path, settings, NAIVE);
    return {
      options: { timeZone: clock.timeZone },
      toJob(row) {
        const stamp = row.text('timestamp');
        const wallS = wallClockS(stamp);
        if (wallS === null) {
          const expected = 'expected YYYY-MM-DD HH:MM:SS';
          throw new RowError('timestamp', `${expected}, found ${quoted(stamp)}`);
        }
        const durationS = row.decimal('duration', { min: -TIME_S.max, max: TIME_S.max });
        const gpuCount = row.integer('num_gpus', GPUS);
        if (gpuCount === 0) return 'cpu_only';
        if (durationS <= 0) return 'nonpositive_duration';
        return traceJob({
          // Unique until `finish` ranks the jobs.
          id: String(row.number),
          submitS: clock.epochS(wallS),
          durationS,
          gpuCount,
          virtualCluster: row.textOrNull('cluster'),
          row: row.number,
        });
      },
      finish: rank,
      assumed: () => [
        'the first submission is time 0; ids are ranks by submission',
        ...clock.assumed('submissions'),
      ],
    };
  },
});
