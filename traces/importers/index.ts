// Every importer, and nothing else: formats.ts registers what is exported here.
export { acmeKalos, acmeSeren } from './acme.ts';
export { azureLlm } from './azure-llm.ts';
export { burstGpt } from './burst-gpt.ts';
export { canonicalCsv } from './canonical-csv.ts';
export { dlrm } from './dlrm.ts';
export { gavel } from './gavel.ts';
export { helios } from './helios.ts';
export { lucidCsv } from './lucid-csv.ts';
export { muriCsv } from './muri-csv.ts';
export { openb } from './openb.ts';
export { pai } from './pai.ts';
export { paiSim } from './pai-sim.ts';
export { phillyCsv } from './philly-csv.ts';
export { phillyJson } from './philly-json.ts';
export { siaWorkload } from './sia-workload.ts';
export { spotGpu } from './spot-gpu.ts';
export { supercloud } from './supercloud.ts';
export { tiresiasCsv } from './tiresias-csv.ts';
