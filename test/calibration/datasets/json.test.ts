import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type JsonNode, parseJson } from '../../../calibration/datasets/json.ts';
import { InputError } from '../../../sim/errors.ts';
import { refuses } from './support.ts';

/** The plain value of a node. */
function plain({ value }: JsonNode): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const entries = [...value];
  return Object.fromEntries(entries.map(([key, node]) => [key, plain(node)]));
}

describe('the JSON reader', () => {
  it('agrees with the built-in one on any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        assert.deepEqual(plain(parseJson(text, 'f')), JSON.parse(text));
      }),
    );
  });

  it('takes NaN, which Python writes', () => {
    assert.deepEqual(plain(parseJson('[NaN, 1, -Infinity]', 'f')), [Number.NaN, 1, -Infinity]);
  });

  it('knows where each value stands', () => {
    const top = parseJson('{"a":\n  [1,\n 2]}', 'f');
    const list = (top.value as ReadonlyMap<string, JsonNode>).get('a');
    assert.deepEqual([list?.line, list?.column], [2, 3]);
    assert.ok(list !== undefined);
    const [, second] = list.value as JsonNode[];
    assert.deepEqual([second?.line, second?.column], [3, 2]);
  });

  it('refuses what is no JSON, at the place', () => {
    refuses(() => parseJson('{"a": 1,\n "a": 2}', 'f'), /^f:2:2 expected 'a' once, found it twice/);
    refuses(
      () => parseJson('{"a": 1', 'f'),
      /^f:1:8 expected ',' or '\}', found the end of the file/,
    );
    refuses(() => parseJson('[1 2]', 'f'), /^f:1:4 expected ',' or '\]', found '2\]'/);
    refuses(
      () => parseJson('{a: 1}', 'f'),
      /^f:1:2 expected a key in double quotes, found 'a: 1\}'/,
    );
    refuses(() => parseJson('{"a" 1}', 'f'), /^f:1:6 expected ':'/);
    refuses(() => parseJson('"\n"', 'f'), /^f:1:1 expected a text in double quotes/);
    refuses(() => parseJson('', 'f', 7), /^f:7:1 expected a JSON value, found the end of the file/);
    refuses(() => parseJson('1 x', 'f'), /^f:1:3 expected the end of the file, found 'x'/);
    refuses(() => parseJson('['.repeat(100_000), 'f'), /expected at most 32 levels/);
  });

  it('gives a value or an InputError for any text', () => {
    const text = fc.oneof(
      fc.string(),
      fc
        .array(fc.constantFrom('{', '}', '[', ']', ':', ',', '"', '"a"', '1', 'NaN', '\n', ' '))
        .map((marks) => marks.join('')),
    );
    fc.assert(
      fc.property(text, (input) => {
        try {
          parseJson(input, 'f');
        } catch (error) {
          assert.ok(error instanceof InputError);
        }
      }),
    );
  });
});
