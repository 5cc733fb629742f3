/** A version 7 UUID. It sorts by creation time, so indexes grow at one end and cursors can use it. */
export function uuidv7(nowMs: number): string {
  const time = Math.floor(nowMs).toString(16).padStart(12, '0')
  // The variant and random bits come from a version 4 UUID, which the platform generates in advance.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`
}

/** The smallest version 7 UUID of that time. Earlier ids are smaller. */
export function uuidv7Floor(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

/** The milliseconds since 1970 that a version 7 UUID begins with. */
export function uuidv7Ms(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}
