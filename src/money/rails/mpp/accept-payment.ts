/** Whether `Accept-Payment: tempo/charge, stripe/*;q=0.3` accepts this method of Tempo. */
export function isAccepted(header: string | undefined, intent: 'charge' | 'session'): boolean {
  if (header === undefined) return true
  return header.split(',').some((item) => {
    const [range = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    const [method, asked] = range.split('/')
    const refused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    return !refused && (method === 'tempo' || method === '*') && (asked === intent || asked === '*')
  })
}
