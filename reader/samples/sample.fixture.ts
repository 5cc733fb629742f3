// What the sets of pages in this folder are written with. They are our own words around the markers that the vendors'
// pages carry; no page is copied. All are judged as answered with status 200 and no telling header.

export interface Saved {
  readonly name: string
  readonly html: string
  /** Of the reply. HTML unless told. */
  readonly contentType?: string
}

export const page = (title: string, body: string, head = '', lang = 'en') =>
  `<!DOCTYPE html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>${head}</head><body>${body}</body></html>`

/** A page with a site's header and footer around it. */
export const site = (title: string, body: string, head = '') =>
  page(
    title,
    `<header><a class="logo" href="/">Brookfield</a><nav><ul><li><a href="/new">New in</a></li><li><a href="/women">Women</a></li><li><a href="/men">Men</a></li><li><a href="/home">Home and garden</a></li><li><a href="/sale">Sale</a></li><li><a href="/stores">Find a store</a></li></ul></nav><form action="/search" role="search"><input name="q" placeholder="Search"></form><a href="/basket">Basket (0)</a></header><main>${body}</main><footer><ul><li><a href="/help">Help</a></li><li><a href="/delivery">Delivery</a></li><li><a href="/returns">Returns</a></li><li><a href="/privacy">Privacy</a></li><li><a href="/terms">Terms</a></li></ul><p>© 2025 Brookfield Ltd. All rights reserved.</p></footer>`,
    `<link rel="stylesheet" href="/a.css">${head}`,
  )

export const script = (source: string) => `<script src="${source}"></script>`
