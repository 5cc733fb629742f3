// Programs of others that judge the metrics. Debian's package prometheus has both.
import { execFileSync, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { AtEnd } from '#test/database.ts'

function find(program: string): string | undefined {
  try {
    return execFileSync('which', [program], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return undefined
  }
}

export const prometheus = find('prometheus')
export const promtool = find('promtool')
export const missing = (program: string) => `(skipped: ${program} is not installed)`

/** Starts Prometheus on a free port. Resolves to its address. */
export async function startPrometheus(config: string, data: string, atEnd: AtEnd): Promise<string> {
  const child = spawn(
    prometheus ?? 'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${data}`,
      '--web.listen-address=127.0.0.1:0',
      '--storage.tsdb.retention.time=1h',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = new Promise((resolve) => child.once('close', resolve))
  atEnd(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const printed: string[] = []
  return await new Promise((resolve, reject) => {
    createInterface(child.stderr).on('line', (line) => {
      printed.push(line)
      const [, address] = /"?Listening on"?.*address=(127\.0\.0\.1:\d+)/i.exec(line) ?? []
      if (address !== undefined) resolve(`http://${address}`)
    })
    void ended.then(() => reject(new Error(`Prometheus ended: ${printed.join('\n')}`)))
  })
}
