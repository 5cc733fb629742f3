// Makes JavaScript of a source, because Node strips no types below node_modules.
import { stripTypeScriptTypes } from 'node:module'

/** On one line: an indentation that may go on over lines is tried anew from each of them. */
const comments = /\/\*[\s\S]*?\*\/|^[^\S\n]*\/\/.*$/gm

/** Paths of TypeScript files become paths of the built files. Undefined for a file that has only types. */
export function stripTypes(source: string): string | undefined {
  const stripped = stripTypeScriptTypes(source)
  return stripped.replaceAll(comments, '').trim() === '' ? undefined : pointToBuilt(stripped)
}

export const pointToBuilt = (text: string) =>
  text.replaceAll(/(['"])(\.{1,2}\/[^'"\n]+)\.ts\1/g, '$1$2.js$1')
