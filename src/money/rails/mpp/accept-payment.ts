/** Whether `Accept-Payment: tempo/charge, stripe/*;q=0.3` accepts the method of this rail. */
export function isAccepted(header: string | undefined): boolean {
  if (header === undefined) return true
  return header.split(',').some((item) => {
    const [range = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    const [method, intent] = range.split('/')
    const refused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    return (
      !refused && (method === 'tempo' || method === '*') && (intent === 'charge' || intent === '*')
    )
  })
}
