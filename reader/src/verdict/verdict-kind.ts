// What a reply turned out to be.

/** Stable: callers map these to codes of their own. `content` is a page that was read; no other kind is. */
export type VerdictKind =
  | 'content'
  /** Too little text, for no reason that the page shows. */
  | 'empty'
  /** Headings and placeholder boxes: the text arrives by script. */
  | 'skeleton'
  /** The page runs by script, or asks for a browser setting. */
  | 'javascript_required'
  /** Much of its text could not be decoded. */
  | 'undecodable'
  /** The page sends the visitor elsewhere. */
  | 'redirect'
  | 'not_found'
  | 'error'
  | 'maintenance'
  /** A host without a site: for sale, suspended, just installed. */
  | 'parked'
  | 'login'
  | 'paywall'
  | 'consent'
  /** Closed to readers of this age or country. */
  | 'restricted'
  /** A firewall refuses the visit, or checks the browser by itself. */
  | 'bot_wall'
  /** The visitor must prove to be human. */
  | 'captcha'
  | 'rate_limited'
  /** Other visitors come first. */
  | 'queue'
