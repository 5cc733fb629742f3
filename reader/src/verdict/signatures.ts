// What machines write into pages that stand for others. Every pattern is plain: no nested repeats, so that none of them
// can be made to run long.

export const machineMessage =
  /^(?:php )?(?:fatal|parse) error\b|^uncaught (?:error|exception|typeerror)|^(?:warning|notice|deprecated): .{0,120} on line \d|^traceback \(most recent call last\)|^server error in '|^stack trace:|sqlstate\[|error establishing a database connection|guru meditation|^this is the default (?:welcome )?page used to test\b/im

/** What themes and platforms call the body of a page that stands for another. */
export const namesOfErrors =
  /(?:^|[\s_-])(?:error-?[45]\d\d|error-?page|page-?error|(?:page|template|path|is|status)-?(?:system-)?[45]\d\d|(?:page-?)?not-?found|cms-no-route|maintenance(?:-mode)?|coming-?soon|under-?construction|access-?denied|search-no-results)(?=$|[\s_-])/i
