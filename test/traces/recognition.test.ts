import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { InputError } from '../../sim/errors.ts';
import { openByteSource } from '../../traces/csv/byte-source.ts';
import { recogniseFormat } from '../../traces/formats.ts';
import { published, publishedSuite } from './importers/published.ts';

/** Files of this data set that nobody published: notes and examples. */
const NOTES = /(?:^|\/)(?:README\.md|expected\.json|readme_example_rows\.txt)$/;
const NO_TRACE = /is no trace of jobs but /;

/** The format of a published file, or why it has none. */
async function formatOf(name: string): Promise<string> {
  try {
    const source = await openByteSource(published(name));
    try {
      const [importer] = recogniseFormat(source.path, source);
      return importer.name;
    } finally {
      source.close();
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.message;
  }
}

publishedSuite('published files', () => {
  it('are each one format, or refused by what they are', async () => {
    const entries = readdirSync(published(''), { recursive: true, withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`.slice(published('').length))
      .map((name) => name.replace(/^\//, ''))
      .filter((name) => !NOTES.test(name))
      .toSorted();
    assert.ok(names.length > 50);
    const formats = new Map<string, string>();
    for (const name of names) formats.set(name, await formatOf(name));
    const unclear = [...formats].filter(
      ([, found]) => found.includes(' ') && !NO_TRACE.test(found),
    );
    assert.deepEqual(unclear, []);

    const formatsIn = (folder: string) => {
      const found = [...formats].filter(([name]) => name.startsWith(folder));
      return [...new Set(found.map(([, format]) => format))].filter((name) => !name.includes(' '));
    };
    assert.deepEqual(formatsIn('gavel/'), ['gavel']);
    assert.deepEqual(formatsIn('shockwave/'), ['gavel']);
    assert.deepEqual(formatsIn('tiresias/'), ['tiresias-csv']);
    assert.deepEqual(formatsIn('muri/'), ['muri-csv']);
    assert.deepEqual(formatsIn('lucid/'), []);
    assert.deepEqual(formatsIn('sia/'), ['sia-workload']);
    assert.deepEqual(formatsIn('azure-llm/'), ['azure-llm']);
    assert.deepEqual(formatsIn('alibaba-gpu-v2023/'), ['openb']);
  });
});
