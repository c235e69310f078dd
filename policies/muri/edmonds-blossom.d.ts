/** Maximum weight matching of a general graph, O(vertices^3). */
declare module 'edmonds-blossom' {
  /**
   * @param edges vertex, vertex, weight; exact for whole weights
   * @returns by vertex: the one that it is matched with, or -1
   */
  function blossom(
    edges: readonly (readonly [number, number, number])[],
    maxCardinality?: boolean,
  ): number[];
  export = blossom;
}
