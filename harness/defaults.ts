/**
 * What is run when nothing is said: the built-in generator on a small mixed cluster. Sized so that
 * these policies and all seeds together take well under a minute on two cores.
 */
export const DEFAULTS = {
  cluster: 'small',
  jobs: 1000,
  load: 0.9,
  seeds: 3,
  /** The limits hold wherever none are given; gangs stay below the GPUs of a small cluster besides. */
  synth: { generator: 'philly' as const, maxGpus: 8, maxDurationS: 86_400 },
  /** One or two of each kind: scheduling, sharing, energy, both. `all` in their place takes all. */
  policies: [
    'fifo-fit',
    'easy',
    'sjf',
    'srtf',
    'tiresias',
    'gavel',
    'lucid',
    'fgd',
    'mps-equal',
    'zeus',
    'energy-greedy',
    'eaco',
    'heshare',
  ],
  /** Strict fifo would flatter every other policy. */
  reference: 'fifo-fit',
  output: 'runs',
} as const;
