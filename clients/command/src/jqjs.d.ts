/** The part of the package that the command uses. */
declare module '@michaelhomer/jqjs' {
  /** A program as a function that yields its results. Throws a text, or an Error. */
  export function compile(program: string): (document: unknown) => Iterable<unknown>
}
