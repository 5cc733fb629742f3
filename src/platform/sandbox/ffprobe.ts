/** Formats that hold their own media. A playlist would name other files. */
const formats = [
  'mov,mp4,m4a,3gp,3g2,mj2',
  'matroska,webm',
  ...['mp3', 'wav', 'aac', 'ogg', 'flac', 'png_pipe', 'jpeg_pipe', 'webp_pipe'],
].join(',')

/** The arguments of ffprobe that every file of a caller or vendor is opened with. */
export const closedFormats: readonly string[] = [
  ...['-v', 'error', '-format_whitelist', formats, '-protocol_whitelist', 'file'],
]
