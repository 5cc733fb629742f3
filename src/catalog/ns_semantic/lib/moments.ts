/** The vendor accepts only timestamps, so a start day becomes its first moment and an end day its last. */
export const expand = (day: string | undefined, time: string) =>
  day === undefined || day.includes('T') ? day : `${day}T${time}Z`
