import assert from 'node:assert/strict';
import { z } from 'zod';
import { parseYaml, parseYamlFile, parseYamlSource } from '../../calibration/yaml.ts';
import { InputError } from '../../sim/errors.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const schema = z.strictObject({
  name: z.string().min(1),
  kind: z.enum(['training', 'inference']).default('training'),
  count: z.int().min(1).max(9).optional(),
  share: z.number().positive().optional(),
  nodes: z.array(z.strictObject({ gpus: z.int().min(1) })).optional(),
  limit: z.union([z.number(), z.strictObject({ min: z.number(), max: z.number() })]).optional(),
  step: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('wait'), seconds: z.number() }),
      z.strictObject({ type: z.literal('stop') }),
    ])
    .optional(),
});

const errorOf = (text: string): string => {
  try {
    parseYaml(text, 'a.yaml', schema);
  } catch (error) {
    assert.ok(error instanceof InputError, String(error));
    return error.message;
  }
  return assert.fail(`no error in ${text}`);
};

describe('parseYaml', () => {
  it('reads YAML and the JSON that is a part of it', () => {
    assert.deepEqual(parseYaml('name: x\ncount: 2\n', 'a.yaml', schema), {
      name: 'x',
      kind: 'training',
      count: 2,
    });
    assert.equal(parseYaml('{\n\t"name": "x"\n}', 'a.json', schema).name, 'x');
  });

  const cases: [string, string, string][] = [
    [
      'a value of the wrong type',
      'name: x\ncount: many\n',
      "a.yaml:2:8 count: expected a number, found 'many'",
    ],
    [
      'a fraction where a whole number is due',
      'name: x\ncount: 1.5\n',
      'a.yaml:2:8 count: expected a whole number, found 1.5',
    ],
    [
      'a number that is too small',
      'name: x\ncount: 0\n',
      'a.yaml:2:8 count: expected at least 1, found 0',
    ],
    [
      'a number that is too large',
      'name: x\ncount: 10\n',
      'a.yaml:2:8 count: expected at most 9, found 10',
    ],
    [
      'a number on an open bound',
      'name: x\nshare: 0\n',
      'a.yaml:2:8 share: expected more than 0, found 0',
    ],
    [
      'a number that is none',
      'name: x\nshare: .nan\n',
      'a.yaml:2:8 share: expected a number, found NaN',
    ],
    ['a field that is missing', 'count: 1\n', 'a.yaml:1:1 name: expected a string, found nothing'],
    [
      'a field deep in a list',
      'name: x\nnodes:\n  - gpus: 4\n  - gpus: 0\n',
      'a.yaml:4:11 nodes.1.gpus: expected at least 1, found 0',
    ],
    [
      'an unknown key near a known one',
      'name: x\nshaer: 1\n',
      "a.yaml:2:1 shaer: unknown key, did you mean 'share'?",
    ],
    [
      'an unknown key near none',
      'name: x\nzzzzz: 1\n',
      'a.yaml:2:1 zzzzz: unknown key, expected one of: count, kind, limit, name, nodes, share, step',
    ],
    [
      'an unknown key in a list',
      'name: x\nnodes: [{gpus: 1, gpu: 2}]\n',
      "a.yaml:2:19 nodes.0.gpu: unknown key, did you mean 'gpus'?",
    ],
    [
      'an unknown word near a known one',
      'name: x\nkind: trainning\n',
      "a.yaml:2:7 kind: expected one of 'training', 'inference', found 'trainning', did you mean 'training'?",
    ],
    [
      'none of the forms of a union',
      'name: x\nlimit: high\n',
      "a.yaml:2:8 limit: expected a number or a mapping, found 'high'",
    ],
    [
      'the form of a union that got furthest',
      'name: x\nlimit: {min: 1, mx: 2}\n',
      'a.yaml:2:8 limit.max: expected a number, found nothing (and 1 more)',
    ],
    [
      'an unknown kind of a discriminated union',
      'name: x\nstep: {type: wat}\n',
      "a.yaml:2:14 step.type: expected one of 'wait', 'stop', found 'wat'",
    ],
    [
      'an unknown key in a discriminated union',
      'name: x\nstep: {type: stop, secs: 1}\n',
      'a.yaml:2:20 step.secs: unknown key, expected one of: seconds, type',
    ],
    [
      'a list where a mapping is due',
      '[1, 2]\n',
      'a.yaml:1:1 expected a mapping, found a list of 2',
    ],
    ['an empty file', '', 'a.yaml:1:1 expected a mapping, found nothing'],
    [
      'the first of several errors',
      'name: x\ncount: 0\nshare: -1\n',
      'a.yaml:2:8 count: expected at least 1, found 0 (and 1 more)',
    ],
  ];
  for (const [what, text, message] of cases) {
    it(`points at ${what}`, () => {
      assert.equal(errorOf(text), message);
    });
  }

  it('refuses a duplicate key where it stands', () => {
    assert.match(errorOf('name: x\nname: y\n'), /^a\.yaml:2:1 map keys must be unique/);
  });

  it('refuses broken syntax where it breaks', () => {
    assert.match(errorOf('name: x\ncount: [1, 2\n'), /^a\.yaml:3:1 /);
  });

  it('refuses a second document in the file', () => {
    assert.match(errorOf('name: x\n---\nname: y\n'), /multiple documents/);
  });

  it('refuses custom tags', () => {
    assert.match(errorOf('name: !js/function x\n'), /^a\.yaml:1:7 unresolved tag/);
  });

  it('refuses a bomb of aliases', () => {
    const levels = Array.from({ length: 12 }, (_, i) =>
      i === 0 ? 'a0: &a0 [x]' : `a${i}: &a${i} [${new Array(9).fill(`*a${i - 1}`).join(', ')}]`,
    );
    assert.match(errorOf(levels.join('\n')), /excessive alias count/);
  });

  it('refuses endless nesting without falling over', () => {
    assert.match(errorOf('['.repeat(3_000)), /^a\.yaml/);
  });

  it('keeps the places of values for later errors', () => {
    const source = parseYamlSource('name: x\nnodes:\n  - gpus: 4\n', 'a.yaml', schema);
    assert.equal(
      source.errorAt(['nodes', 0, 'gpus'], 'too many').message,
      'a.yaml:3:11 nodes.0.gpus: too many',
    );
    assert.equal(source.errorAt(['nodes', 0, 'gpus'], 'odd', true).column, 5);
    assert.equal(source.errorAt(['nodes', 7], 'missing').line, 3);
  });
});

describe('parseYamlFile', () => {
  const folder = new TemporaryFolder();
  after(() => {
    folder.remove();
  });
  const failure = (path: string): string => {
    try {
      parseYamlFile(path, schema);
    } catch (error) {
      assert.ok(error instanceof InputError, String(error));
      return error.detail;
    }
    return assert.fail('no error');
  };

  it('says that there is no such file', () => {
    assert.equal(failure(`${folder.path}/none.yaml`), 'no such file');
  });

  it('says that a folder is not a file', () => {
    assert.equal(failure(folder.path), 'expected a file, found a folder');
  });

  it('says that a binary file is not text', () => {
    const invalid = folder.write('a.bin', new Uint8Array([0x89, 0x50, 0xff, 0xfe]));
    const zeros = folder.write('b.bin', new Uint8Array(16));
    assert.equal(failure(invalid), 'expected UTF-8 text, found a binary file');
    assert.equal(failure(zeros), 'expected UTF-8 text, found a binary file');
  });

  it('reads past a byte order mark', () => {
    const file = folder.write('bom.yaml', '\uFEFFname: x\n');
    assert.equal(parseYamlFile(file, schema).name, 'x');
  });
});
