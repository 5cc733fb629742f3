declare module 'role-based-email-addresses' {
  const names: readonly string[]
  export = names
}
