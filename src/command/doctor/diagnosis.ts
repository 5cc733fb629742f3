/** What a check has found. */
export interface Diagnosis {
  readonly subject: string
  /**
   * `attention`: the gateway runs, and something is missing or unusual. `problem`: it does not start, or does not work
   * right.
   */
  readonly state: 'good' | 'attention' | 'problem'
  /** A sentence. */
  readonly says: string
  /** A sentence about what to do. */
  readonly fix?: string
}

export const good = (subject: string, says: string): Diagnosis => ({ subject, state: 'good', says })

export const attention = (subject: string, says: string, fix: string): Diagnosis => ({
  subject,
  says,
  fix,
  state: 'attention',
})

export const problem = (subject: string, says: string, fix: string): Diagnosis => ({
  subject,
  says,
  fix,
  state: 'problem',
})
