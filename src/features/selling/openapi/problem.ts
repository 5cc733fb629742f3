/** Why a description, or a part of it, cannot be sold. The message is for the operator and says what to change. */
export class DescriptionProblem extends Error {
  override name = 'DescriptionProblem'
  readonly line: number | undefined
  /** Of the file that the line is in. */
  readonly address: string | undefined

  constructor(
    message: string,
    where: { readonly line?: number | undefined; readonly address?: string } = {},
  ) {
    super(message)
    this.line = where.line
    this.address = where.address
  }
}
