// Every limit that the rules of the repository enforce. CONTRIBUTING quotes them, and a test compares the two.

export const limits = {
  fileLines: 400,
  actionFileLines: 80,
  functionStatements: 60,
  filesInFolder: 30,
  filesInCircle: 3,
  /** Of comments and Markdown. The formatter wraps code at 100. */
  columns: 120,
  /** Of a table in `src`. */
  tableCharacters: 100_000,
} as const
