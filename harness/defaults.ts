/**
 * What is run when nothing is said: the built-in generator on a small mixed cluster. Sized so that
 * all policies and seeds together take well under a minute on two cores.
 */
export const DEFAULTS = {
  cluster: 'small',
  jobs: 1000,
  load: 0.9,
  seeds: 3,
  synth: { generator: 'philly' as const, maxGpus: 8, maxDurationS: 86_400, ratePerS: undefined },
  /** Strict fifo would flatter every other policy. */
  reference: 'fifo-fit',
  output: 'runs',
} as const;
