/** Certificates that no one trusts, with one key of the tests: for 127.0.0.1, for another host, over, and not yet begun. */

const pem = (kind: string, ...lines: string[]): string =>
  `-----BEGIN ${kind}-----\n${lines.join('\n')}\n-----END ${kind}-----\n`

export const KEY = pem('EC PRIVATE KEY',
  'MHcCAQEEIDinuB/iKcomj2QxWDCaR6EJGrXKd+WEtIK+rUbLYkCPoAoGCCqGSM49',
  'AwEHoUQDQgAEwlrdcLra2DqHr524VWZpun1sPn2eQCfwLkYZv0umylQYQhIRXczZ',
  's89kMVEcOFtsISze2jcEDM7qEhk+UKw5Gw==')

/* Made by openssl ca -selfsign, to last a century. */
const DER = Buffer.from(
  'MIIBVjCB/KADAgECAgEBMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCWxvY2FsaG9z' +
  'dDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFDESMBAGA1UEAwwJ' +
  'bG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEwlrdcLra2DqHr524' +
  'VWZpun1sPn2eQCfwLkYZv0umylQYQhIRXczZs89kMVEcOFtsISze2jcEDM7qEhk+' +
  'UKw5G6M9MDswGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMB0GA1UdDgQWBBQV' +
  'JiWGm11KUeT7UJcLdLKDfMMCSjAKBggqhkjOPQQDAgNJADBGAiEA8SmPIwtenJ84' +
  'BgGe61tiEiN7INdKReGGqZi4UUAYur4CIQDPWPfkbA3Yr7x7zSVpIxGGEmIqXwwB' +
  'zgAq1fUxFcdxIQ==', 'base64')

/** With bytes replaced by others, as many: the signature does not fit then, which is looked at last. */
const certificate = (...changes: Array<[from: string, to: string]>): string => {
  const bytes = changes.reduce((der, [from, to]) => der.replaceAll(from, to), DER.toString('latin1'))
  return pem('CERTIFICATE', ...Buffer.from(bytes, 'latin1').toString('base64').match(/.{1,64}/g)!)
}
export const SELF_SIGNED = certificate()
export const OF_ANOTHER_HOST = certificate(['localhost', 'elsewhere'], ['\x7f\x00\x00\x01', '\x0a\x09\x08\x07'])
export const EXPIRED = certificate(['21200101000000Z', '20210101000000Z'])
export const NOT_YET_VALID = certificate(['\x17\x0d200101000000Z', '\x17\x0d490101000000Z'])
