// What machines write into pages when they fail, and what consent dialogs ask for. Every pattern is plain: no nested repeats,
// so that none of them can be made to run long.

export const machineMessage =
  /^(?:php )?(?:fatal|parse) error\b|^uncaught (?:error|exception|typeerror)|^(?:warning|notice|deprecated): .{0,120} on line \d|^traceback \(most recent call last\)|^server error in '|^stack trace:|sqlstate\[|error establishing a database connection|guru meditation/im

/** What a consent dialog asks for; a page on cookies asks for nothing. */
export const consentChoice =
  /\b(?:accept|agree|reject|allow all|decline|akzeptieren|zustimm\w*|ablehnen|accepter|refuser|aceptar|rechazar|accetta|rifiuta|akkoord|accepteren|toestemming|aceitar|rejeitar|akceptuj\w*|zgadzam|godkänn\w*|accept[eé]r\w*|afvis\w*|avvis\w*|hyväksy\w*|accetto|přijmout|elfogad\w*|alles|kabul)(?![\p{L}])|принять|同意|동의/iu
export const consentMention =
  /cookie|consent|privacy|partners|personali[sz]ed|einwilligung|datenschutz|confidentialité|consentement|toestemming|privacidad|privacidade|samtykke|samtycke|privatliv|personvern|informazioni|tracking|werbung|abo\b|evästeet|soukrom|adatvédel|gizlilik|прайваси|隐私|クッキー/i

/** What themes and platforms call the body of a page that stands for another. */
export const namesOfErrors =
  /(?:^|[\s_-])(?:error-?[45]\d\d|error-?page|page-?error|(?:page|template|path|is|status)-?(?:system-)?[45]\d\d|(?:page-?)?not-?found|cms-no-route|maintenance(?:-mode)?|coming-?soon|under-?construction|access-?denied|search-no-results)(?=$|[\s_-])/i
