// Plain JavaScript that any Node can read, so that an old one can say what is missing.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

/** A sentence about a Node that is too old for Tollway; undefined where it is not. */
export const oldNode =
  major < 22 || (major === 22 && minor < 19)
    ? `This is Node ${process.versions.node}, and Tollway needs 22.19 or newer.`
    : undefined
