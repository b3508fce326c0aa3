/** How a connection plans and searches, on a server and embedded alike. */
export const PG_SETTINGS: Readonly<Record<string, string>> = {
  // As many nearest vectors as search asks for, and on until enough of them are of workspaces that the caller sees.
  'hnsw.ef_search': '100',
  'hnsw.iterative_scan': 'relaxed_order',
  // On flash or in memory any page is as near as the next; and what long texts cost to read all of, the planner does not know.
  random_page_cost: '1.1'
}
