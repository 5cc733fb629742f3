// Plain JavaScript that any Node can read, so that an old one can say what is missing.
import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const [, wanted] = engines.node.split('>=')
const [wantedMajor, wantedMinor] = wanted.split('.').map(Number)
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

/** A sentence about a Node that is too old for Tollway; undefined where it is not. */
export const oldNode =
  major < wantedMajor || (major === wantedMajor && minor < wantedMinor)
    ? `This is Node ${process.versions.node}, and Tollway needs ${wanted} or newer.`
    : undefined
