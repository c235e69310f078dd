// Imports a trace with the built package and prints what it took, as JSON: a process of its own, without a
// loader of TypeScript, for import-task-table.ts. Arguments: dist folder, file, cache folder.
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';

const [, , dist = '', file = '', cache = ''] = process.argv;
const formats = await import(pathToFileURL(path.join(dist, 'traces/formats.js')).href);
const startedMs = performance.now();
const trace = await formats.importTrace(file, { cache: cache === '' ? null : { dir: cache } });
const wallS = (performance.now() - startedMs) / 1000;
const { user, system } = process.cpuUsage();
console.log(
  JSON.stringify({
    rows: trace.report.rowsRead,
    jobs: trace.jobs.length,
    wallS,
    cpuS: (user + system) / 1e6,
    peakMib: process.resourceUsage().maxRSS / 1024,
  }),
);
