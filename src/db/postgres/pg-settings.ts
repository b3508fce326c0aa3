/** Settings of each connection, on a server and embedded alike. */
export const PG_SETTINGS: Readonly<Record<string, string>> = {
  // As many nearest vectors as search asks for, continued until enough of them are in the caller's workspaces.
  'hnsw.ef_search': '100',
  'hnsw.iterative_scan': 'relaxed_order',
  // On flash or in memory all pages are equally near; and the planner does not know the cost of reading long texts.
  random_page_cost: '1.1',
  // To compile the statement of a search takes a second, to run it milliseconds.
  jit: 'off'
}
