// The pages of a call and the contents that it requests of each.
export const fields = ['text', 'highlights', 'summary'] as const

interface Requested {
  readonly urls?: readonly string[] | undefined
  readonly ids?: readonly string[] | undefined
  readonly text?: boolean | undefined
  readonly highlights?: boolean | undefined
  readonly summary?: boolean | undefined
}
export const targetsOf = ({ urls = [], ids = [] }: Requested) => [...urls, ...ids]
export const fieldsOf = (input: Requested) => fields.filter((field) => input[field] === true)
