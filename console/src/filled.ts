/** Parameters without those that are empty. */
export const filled = <Parameters extends object>(parameters: Parameters) =>
  Object.fromEntries(
    Object.entries(parameters).filter(([, value]) => value !== '' && value !== undefined),
  ) as { [Name in keyof Parameters]?: Exclude<Parameters[Name], '' | undefined> }
