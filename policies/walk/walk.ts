import type { Decision } from '../../sim/decisions.ts';
import type { View } from '../../sim/view.ts';

/** How a policy goes through its queue at each ask; keeps state, so it serves one run. */
export interface Walk {
  decide(view: View): Iterable<Decision>;
}
