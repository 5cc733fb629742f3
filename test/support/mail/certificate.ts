// Certificates of tests, signed by themselves.
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { findProgram } from '#platform/sandbox/sandbox.ts'

const openssl = await findProgram('openssl')

/** What is missing. Undefined when certificates can be made. */
export const certificatesMissing = openssl === undefined ? 'openssl is not installed' : undefined

/** Writes a certificate for this host, and its key, into the folder. Returns their paths. */
export function makeCertificate(folder: string, host: string): { cert: string; key: string } {
  const [cert, key] = [path.join(folder, 'server.crt'), path.join(folder, 'server.key')]
  const kind = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2']
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
  execFileSync(openssl as string, [...kind, '-keyout', key, '-out', cert, ...names], {
    stdio: 'ignore',
  })
  return { cert, key }
}
