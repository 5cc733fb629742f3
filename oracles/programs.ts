// Packages that tests run as programs of their own.
import { createRequire } from 'node:module'
import path from 'node:path'

const { resolve } = createRequire(import.meta.url)
const inPackage = (name: string, file: string) =>
  path.join(path.dirname(resolve(`${name}/package.json`)), file)

export const mcpConformance = inPackage('@modelcontextprotocol/conformance', 'dist/index.js')
export const mcpRemote = inPackage('mcp-remote', 'dist/proxy.js')
/** A module that exports the class of a server of the S3 protocol. */
export const s3Server = resolve('@20minutes/s3rver')
