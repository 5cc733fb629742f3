import type { Log } from '#core/ports.ts'

const ignore = () => {}
export const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore }
