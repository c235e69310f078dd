import assert from 'node:assert/strict';
import fc from 'fast-check';
import { InputError } from '../../../sim/errors.ts';
import { arrayElements, type JsonElement } from '../../../traces/json/array-elements.ts';
import { messageOf, sourceOf } from '../support.ts';

async function* pieces(content: string | Buffer, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length; at += size) {
    yield await Promise.resolve(bytes.subarray(at, at + size));
  }
}

/** Of a file that comes in chunks of a size: a source itself joins the first ones. */
async function elements(content: string | Buffer, size = 1000): Promise<readonly JsonElement[]> {
  const source = { ...(await sourceOf('x')), chunks: () => pieces(content, size) };
  const found: JsonElement[] = [];
  for await (const element of arrayElements(source)) found.push(element);
  return found;
}

describe('array elements', () => {
  it('gives each object with its line and column', async () => {
    const text = '[\n  {"a": 1},\n  {"b": [2,\n  {"c": "}, {"}]}, {}\n]\n';
    assert.deepEqual(await elements(text), [
      { value: { a: 1 }, line: 2, column: 3 },
      { value: { b: [2, { c: '}, {' }] }, line: 3, column: 3 },
      // The object starts 20 bytes into line 4.
      { value: {}, line: 4, column: 20 },
    ]);
  });

  it('takes a byte order mark, all on one line, escapes and an empty list', async () => {
    assert.deepEqual(await elements('\uFEFF[{"a":"\\"]}\\\\"},{"b":"\\u00e9\u00E9"}]'), [
      { value: { a: '"]}\\' }, line: 1, column: 2 },
      { value: { b: '\u00E9\u00E9' }, line: 1, column: 17 },
    ]);
    assert.deepEqual(await elements(' [ ] '), []);
  });

  it('gives what JSON.parse gives, however the file is cut into chunks', async () => {
    const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), {
      maxLength: 8,
    });
    const whole = fc.tuple(objects, fc.constantFrom(0, 1, 4), fc.integer({ min: 1, max: 50 }));
    await fc.assert(
      fc.asyncProperty(whole, async ([list, indent, size]) => {
        const text = JSON.stringify(list, null, indent);
        const found = await elements(text, size);
        const expected = JSON.parse(text) as unknown[];
        assert.deepEqual(
          found.map(({ value }) => value),
          expected,
        );
      }),
      { numRuns: 80 },
    );
  });

  it('says where the file is no list of objects', async () => {
    const messages: readonly (readonly [string, RegExp])[] = [
      ['{"a": 1}', /^t\.csv:1:1 expected a list of objects, which starts with '\[', found '\{'/],
      ['job_id,user\n', /^t\.csv:1:1 expected a list of objects/],
      ['[1, 2]', /^t\.csv:1:2 expected an object, which starts with '\{', or '\]', found '1'/],
      ['[{},\n]', /^t\.csv:2:1 expected an object, which starts with '\{', found '\]'/],
      ['[{}\n {}]', /^t\.csv:2:2 expected ',' or '\]' after an object, found '\{'/],
      ['[{}] x', /^t\.csv:1:6 expected nothing after the list, found 'x'/],
      ['[{}]\n[{}]', /^t\.csv:2:1 expected nothing after the list/],
      ['[{"a": 1},\n{"b"}]', /^t\.csv:2:1 this object is not JSON: /],
      ['[{"a": [1}]', /^t\.csv:1 is cut off|^t\.csv:1:2 this object is not JSON/],
      ['[{"a": [1}}]', /^t\.csv:1:2 this object is not JSON: /],
      ['[{"a": NaN}]', /^t\.csv:1:2 this object is not JSON: /],
      ['[{"a": "b}, \n{"c": 1}]', /^t\.csv:1 a line end or control character in a text/],
      ['[\n{"a": 1}', /^t\.csv:2 is cut off: the list is not closed with '\]'/],
      ['[\n{"a": ', /^t\.csv:2 is cut off/],
      ['  \n ', /is empty/],
    ];
    for (const [text, message] of messages) {
      assert.match(await messageOf(elements(text)), message, text);
    }
  });

  it('refuses what is not UTF-8', async () => {
    const content = Buffer.from('[{"user": "\u00E9"}]', 'latin1');
    assert.match(await messageOf(elements(content)), /^t\.csv:1:2 is not UTF-8 text/);
  });

  it('reads no more than an object may be long or deep', async () => {
    const deep = `[{"a":${'['.repeat(100)}`;
    assert.match(await messageOf(elements(deep)), /:1:70 brackets nested more than 64 deep/);
    const long = `[{"a":"${'x'.repeat(4_300_000)}"}]`;
    const message = await messageOf(elements(long, 100_000));
    assert.match(message, /^t\.csv:1:2 this object is longer than 4194304 bytes; is it closed\?/);
  });

  it('ends with objects or an input error for any text', async () => {
    const marks = ['[', ']', '{', '}', '"', ',', ':', '\\', '\n', ' ', '1', 'null', '\u00E9'];
    const text = fc.array(fc.constantFrom(...marks), { maxLength: 40 }).map((all) => all.join(''));
    await fc.assert(
      fc.asyncProperty(text, async (rest) => {
        try {
          const found = await elements(`[{}${rest}`, 7);
          assert.deepEqual(
            found.map(({ value }) => value),
            JSON.parse(`[{}${rest}`),
          );
        } catch (error) {
          if (!(error instanceof InputError)) throw error;
          assert.throws(() => {
            const parsed = JSON.parse(`[{}${rest}`) as readonly unknown[];
            // A list of other things than objects is JSON, and refused.
            if (parsed.some((value) => JSON.stringify(value)[0] !== '{')) throw new Error('other');
          });
        }
      }),
      { numRuns: 400 },
    );
  });
});
