/** The vendor takes moments only: a day begins with its first and ends with its last. */
export const expand = (day: string | undefined, time: string) =>
  day === undefined || day.includes('T') ? day : `${day}T${time}Z`
