import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { htmlToMarkdown, initSync } from 'mdream/wasm'

// The WebAssembly build: it runs wherever Node does, and on a hostile page it can only trap, not end the process.
initSync({
  module: readFileSync(fileURLToPath(import.meta.resolve('mdream/wasm/mdream_edge_bg.wasm'))),
})

/** Markdown of cleaned HTML, whose links are absolute already. */
export function toMarkdown(html: string): string {
  return htmlToMarkdown(html, { cleanUrls: false, plugins: {} })
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
