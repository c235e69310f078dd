/**
 * What is run when nothing is said: the built-in generator on a small mixed cluster. Sized so that
 * all policies and seeds together take well under a minute on two cores.
 */
export const DEFAULTS = {
  cluster: 'small',
  jobs: 1000,
  load: 0.9,
  seeds: 3,
  /** The limits hold wherever none are given; gangs stay below the GPUs of a small cluster besides. */
  synth: { generator: 'philly' as const, maxGpus: 8, maxDurationS: 86_400 },
  /** Strict fifo would flatter every other policy. */
  reference: 'fifo-fit',
  output: 'runs',
} as const;
