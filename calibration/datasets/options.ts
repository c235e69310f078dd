import { InputError, nearest } from '../../sim/errors.ts';
import { quoted } from './quantity.ts';

/** How readers of measurement files treat what is odd in them; every one has a stated default. */
export interface MeasurementOptions {
  /**
   * GPU type of files that do not name it in their rows; otherwise the file's or folder's name must
   * tell. Of a Gavel file with several types, the one that is taken.
   */
  readonly gpu?: string;
  /** Rows without a value that they need. */
  readonly missing?: 'drop' | 'error';
  /** Rows that say the same as an earlier one. */
  readonly duplicates?: 'drop' | 'keep' | 'error';
  /** Zeus and own CSV: average power above the power cap. */
  readonly overCap?: 'keep' | 'drop';
  /** HKBU profile: lowest core clock that is kept. */
  readonly minCoreMhz?: number;
  /** Gavel: throughput zero, the jobs did not fit or did not run. */
  readonly didNotFit?: 'drop' | 'keep';
  /** Gavel: throughput beside another job equal to the throughput alone. */
  readonly clipped?: 'keep' | 'drop';
  /** Gavel and Sia: rows of one job on several GPUs. */
  readonly gangs?: 'drop' | 'keep';
  /** Lucid: speed beside another job above which it counts as noise. */
  readonly speedLimit?: number;
  /** Lucid: what is done with speeds above that; `clamp` sets them to the limit. */
  readonly overSpeed?: 'keep' | 'drop' | 'clamp';
  /** MISO: rows of the erratic model. */
  readonly erratic?: 'keep' | 'drop';
  /** MISO: rows of the placeholder job. */
  readonly placeholder?: 'drop' | 'keep';
  /** gpu-lets: unit of the durations; `auto` takes a file of durations below 1 to be in seconds. */
  readonly durationUnit?: 'auto' | 'ms' | 's';
  /** iGniter profile: the model of the 1 to n equal jobs, which the file does not name. */
  readonly colocatedWorkload?: string;
  /** iGniter profile: the share of each of them in (0, 1]. */
  readonly colocatedShare?: number;
}

/** Name of an option. */
export type OptionName = keyof MeasurementOptions;

interface OptionFacts {
  /** What it may be: one of these words, a number above 0, or any text. */
  readonly values: readonly string[] | 'number' | 'text';
  readonly about: string;
}

/** Defaults, `gpu` and `minCoreMhz` apart: theirs depend on the file. */
export const OPTION_DEFAULTS = {
  missing: 'drop',
  duplicates: 'drop',
  overCap: 'keep',
  didNotFit: 'drop',
  clipped: 'keep',
  gangs: 'drop',
  speedLimit: 1.05,
  overSpeed: 'keep',
  erratic: 'keep',
  placeholder: 'drop',
  durationUnit: 'auto',
  colocatedWorkload: 'vgg19',
  colocatedShare: 0.2,
} as const satisfies MeasurementOptions;

/** Every option with what it may be and does. */
export const OPTION_FACTS: Readonly<Record<OptionName, OptionFacts>> = {
  gpu: { values: 'text', about: 'GPU type of files that do not name it in their rows' },
  missing: { values: ['drop', 'error'], about: 'rows without a value that they need' },
  duplicates: {
    values: ['drop', 'keep', 'error'],
    about: 'rows that say the same as an earlier one',
  },
  overCap: { values: ['keep', 'drop'], about: 'average power above the power cap' },
  minCoreMhz: { values: 'number', about: 'lowest core clock of an HKBU profile that is kept' },
  didNotFit: { values: ['drop', 'keep'], about: 'Gavel throughputs of zero' },
  clipped: { values: ['keep', 'drop'], about: 'Gavel throughputs equal to those alone' },
  gangs: { values: ['drop', 'keep'], about: 'rows of one job on several GPUs' },
  speedLimit: { values: 'number', about: 'Lucid speed above which it counts as noise' },
  overSpeed: { values: ['keep', 'drop', 'clamp'], about: 'Lucid speeds above the limit' },
  erratic: { values: ['keep', 'drop'], about: 'MISO rows of deepspeech2' },
  placeholder: { values: ['drop', 'keep'], about: 'MISO rows of the dummy job' },
  durationUnit: { values: ['auto', 'ms', 's'], about: 'unit of gpu-lets durations' },
  colocatedWorkload: { values: 'text', about: 'model of the n equal jobs of an iGniter profile' },
  colocatedShare: { values: 'number', about: 'share of each of those jobs, 0 to 1' },
};

const isOptionName = (name: string): name is OptionName => Object.hasOwn(OPTION_FACTS, name);

/**
 * Options from words, as a command line has them.
 *
 * @param place what the message begins with, such as `--option`
 * @throws {InputError} for an unknown name or a value that it cannot have
 */
export function parseMeasurementOptions(
  words: Readonly<Record<string, string>>,
  place: string,
): MeasurementOptions {
  const options: Record<string, string | number> = {};
  for (const [name, word] of Object.entries(words)) {
    if (!isOptionName(name)) {
      const near = nearest(name, Object.keys(OPTION_FACTS));
      const hint = near === null ? '' : `; did you mean ${quoted(near)}?`;
      const known = Object.keys(OPTION_FACTS).join(', ');
      const detail = `unknown option ${quoted(name)}, known: ${known}${hint}`;
      throw new InputError(place, null, null, detail);
    }
    options[name] = optionValue(name, word, place);
  }
  return options;
}

function optionValue(name: OptionName, word: string, place: string): string | number {
  const { values } = OPTION_FACTS[name];
  const wrong = (expected: string): InputError =>
    new InputError(place, null, null, `${name}: expected ${expected}, found ${quoted(word)}`);
  if (values === 'number') {
    const value = Number(word);
    if (word.trim() === '' || !(value >= 0 && value < Infinity)) throw wrong('a number from 0 on');
    if (name === 'colocatedShare' && (value <= 0 || value > 1)) throw wrong('a share in (0, 1]');
    return value;
  }
  if (values === 'text') {
    if (word.trim() === '') throw wrong('a name');
    return word.trim();
  }
  if (!values.includes(word)) throw wrong(values.map(quoted).join(' or '));
  return word;
}
