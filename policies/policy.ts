import type { ClusterSpec } from '../sim/cluster/cluster.ts';
import type { ProfileSet } from '../sim/gpu/profile.ts';
import type { RateSeries } from '../sim/options.ts';
import type { RandomSource } from '../sim/random.ts';
import type { DecisionMaker } from '../sim/view.ts';
import type { Predictor } from './predictor.ts';

/** What a policy is told of speeds and powers: nothing, jobs alone, measured pairs too, or all. */
export type ProfileInformation = 'none' | 'solo' | 'pairs' | 'all';

/** What a kWh costs, and the CO2 behind it. */
export interface Tariff {
  readonly pricePerKwh: RateSeries;
  readonly carbonGramPerKwh: RateSeries;
}

/** What a policy is made of besides its options. */
export interface PolicyContext {
  readonly cluster: ClusterSpec;
  readonly profiles: ProfileSet;
  /** The physics as far as this policy may know it, with its noise. */
  readonly predictor: Predictor;
  /** The policy's own random stream. */
  readonly random: RandomSource;
  /** Price and carbon intensity over time, as the run charges them. */
  readonly tariff: Tariff;
}

/** A policy ready to be asked; `decide` is called once after all events of an instant. */
export type Policy = DecisionMaker;

/** An option of a policy, with its default and where that comes from. */
export interface PolicyOption {
  readonly name: string;
  readonly default: number | string | boolean;
  /** Allowed values of a string; range of a number. */
  readonly choices?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly description: string;
  /** Paper section, released code, or `assumed`. */
  readonly source: string;
}

export type OptionValues = Readonly<Record<string, number | string | boolean>>;

/** How close a policy is to what it is named after. */
export type Faithfulness = 'exact' | 'port' | 'like' | 'own';

/** An entry of the registry. `create` gets every option, defaults filled in and checked. */
export interface PolicyDefinition {
  readonly name: string;
  /** One line: the rule. */
  readonly title: string;
  readonly source: string;
  readonly faithfulness: Faithfulness;
  /** What holds it: tests, recorded cases. */
  readonly checkedBy: string;
  readonly duration: DecisionMaker['information']['duration'];
  readonly profile: ProfileInformation;
  readonly options: readonly PolicyOption[];
  /** Awaited once before the first `create`: loads what a policy needs, like a solver. */
  prepare?(): Promise<void>;
  create(options: OptionValues, context: PolicyContext): Policy;
}
