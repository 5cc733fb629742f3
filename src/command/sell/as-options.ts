// The gateway names fields of a body, which is what callers over HTTP send. Who types a command has its options.

const optionsByField: readonly (readonly [field: string, option: string])[] = [
  ['"private": true', '--private'],
  ['"kind": "endpoint"', '--endpoint'],
  ['"credential": {"kind": "bearer"}', '--auth bearer'],
  ['"credential": {"kind": "env", "name": "NAME"}', '--auth env:NAME'],
  ['"credential": {"kind": "header", "name": "NAME"}', '--auth header:NAME'],
  ['"name"', '--name NAME'],
  ['"server"', '--server URL'],
  ['"key"', '--key KEY'],
]

/** A sentence of the gateway with an option in place of each field: `"private": true` is `--private`. */
export const asOptions = (sentence: string): string =>
  optionsByField.reduce(
    (text, [field, option]) => text.replaceAll(`\`${field}\``, `\`${option}\``),
    sentence,
  )
