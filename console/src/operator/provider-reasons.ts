// Why a provider is not sold with its vendor, as the page that takes its key says it.

/** What is sold all the same. */
const available: Readonly<Record<string, string>> = {
  keyless: 'Only some of its actions are available. For the others: ',
  embedded: 'This machine stands in for the vendor. For the vendor: ',
}

/** `keys`: the providers that take a key on this page, and the settings of the same keys. */
export function reasonOf(
  { service, mode, reason }: { service: string; mode: string; reason?: string | undefined },
  keys: readonly { readonly provider: string; readonly setting: string }[],
): string | undefined {
  if (reason === undefined) return undefined
  const isOwn = keys.some(({ provider }) => provider === service)
  const other = keys.find(({ setting }) => reason.includes(setting))?.provider
  const where = isOwn || other === undefined ? 'here' : `in the row of ${other}`
  return (available[mode] ?? '') + reason.replaceAll('on the page Providers of the console', where)
}
