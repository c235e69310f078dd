import blossom from 'edmonds-blossom';

/** Weights are counted in so many parts of 1: the algorithm is exact, and ends, on whole numbers. */
const PARTS = 1e6;

/**
 * A matching of largest summed weight (Edmonds' blossom algorithm), with weights rounded to a millionth;
 * edges that round to nothing are left out.
 *
 * @param weight of the edge between two vertices, `a < b`; 0 or less for none
 * @returns matched pairs, in the order of their first vertices
 */
export function heaviestMatching(
  vertices: number,
  weight: (a: number, b: number) => number,
): readonly (readonly [number, number])[] {
  const edges: [number, number, number][] = [];
  for (let a = 0; a < vertices; a += 1) {
    for (let b = a + 1; b < vertices; b += 1) {
      const parts = Math.round(weight(a, b) * PARTS);
      if (parts > 0) edges.push([a, b, parts]);
    }
  }
  if (edges.length === 0) return [];
  const pairs: [number, number][] = [];
  for (const [a, b] of blossom(edges).entries()) if (b > a) pairs.push([a, b]);
  return pairs;
}
