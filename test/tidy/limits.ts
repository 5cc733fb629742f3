// Every limit that the rules of the repository enforce. CONTRIBUTING quotes them, and a test compares the two.

export const limits = {
  fileLines: 400,
  actionFileLines: 80,
  functionLines: 70,
  filesInFolder: 30,
} as const
