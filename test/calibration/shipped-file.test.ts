import assert from 'node:assert/strict';
import { pairTableText, parsePairTable } from '../../calibration/pair-table.ts';
import { expandSources, parseShipped, shippedText } from '../../calibration/shipped-file.ts';

const SOURCE = { kind: 'measured', source: 'a set' };
const CONTENT = {
  workloads: [{ name: 'w', onGpu: { G: { time: 1, provenance: { '*': SOURCE, time: SOURCE } } } }],
};

describe('a shipped file', () => {
  it('says each source once and gives back what was put in', () => {
    const text = shippedText(CONTENT);
    assert.equal(text.match(/a set/g)?.length, 1);
    assert.deepEqual(expandSources(text), CONTENT);
  });

  it('names the workload and GPU type in each profile', () => {
    const { workloads, gpus } = parseShipped(shippedText(CONTENT));
    assert.deepEqual(gpus, []);
    const profile = workloads[0]?.onGpu.G;
    assert.equal(profile?.workload, 'w');
    assert.equal(profile.gpuType, 'G');
    assert.deepEqual(profile.provenance.time, SOURCE);
  });

  it('is refused without its sources', () => {
    assert.throws(() => parseShipped('{"workloads": []}'), /with sources/);
    const text = '{"sources": [], "gpus": [{"provenance": {"*": 3}}]}';
    assert.throws(() => parseShipped(text), /expected a source 3/);
  });

  it('keeps pairs to three digits', () => {
    const pair = {
      gpuType: 'G',
      workloads: ['a', 'b'],
      speeds: [0.123456, 1],
      source: 's',
    } as const;
    assert.deepEqual(parsePairTable(pairTableText([pair])), [{ ...pair, speeds: [0.123, 1] }]);
    const bad = '{"gpuType": "G", "source": "s", "workloads": ["a"], "pairs": [[0, 1, 1, 1]]}';
    assert.throws(() => parsePairTable(bad), /expected a workload 1/);
  });
});
