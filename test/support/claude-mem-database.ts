/**
 * A database as claude-mem leaves it while it runs, made with SQLite itself: pages of 512 bytes, so that 30 rows make a tree
 * with long records, and a log beside it with two changes: a new column, then three rows more and one less.
 */

import { gunzipSync } from 'node:zlib';

/** Row numbers of `observations`: 1 to 30 in the file alone, 1 to 33 without 5 with the log. */
export const ROW_NUMBERS = Array.from({ length: 33 }, (_, index) => index + 1).filter((number) => number !== 5);

/** What each row was made of. */
export function rowMade(number: number) {
  return {
    id: number,
    project: number % 4 === 0 ? 'blog' : 'shop',
    type: ['decision', 'bugfix', 'discovery'][number % 3]!,
    title: `Title ${number}`,
    subtitle: `Subtitle ${number}`,
    facts: `["fact ${number}", "é ${number}"]`,
    narrative: 'n'.repeat(number * number),
    text: null,
    created_at: `2025-02-19T21:20:${String(number % 60).padStart(2, '0')}.000Z`,
    created_at_epoch: 1_740_000_000_000 + number * 1000,
  };
}

export function databaseFile(): Buffer {
  return unpack(DATABASE);
}

export function logFile(): Buffer {
  return unpack(LOG);
}

function unpack(lines: readonly string[]): Buffer {
  return gunzipSync(Buffer.from(lines.join(''), 'base64'));
}

const DATABASE = [
  'H4sIAAAAAAACA+1bS2wbxxme4fIt0ZJsK7Qt2xrLcC0mlM0ZSpRkIHFkhXJUy5Qtk0Bcw6ApchWzNkmFpBQ5F4W2/Ej6QIEiQNBLi6IomkuaS9Ei',
  'PTRIekgPKYIGKHJoi6Ao0AJ9oLm0BdJC/fcxM7RYbSzVlmVxB6shZ3Z3/n/mm/+f/0GdOzuRr6pkplQuZKokihzI4UBPE4IQfEXoIJJFazvr2hh9',
  'fnGgI1kcwCq8+C7CP8MF9C4+hu5rmVc8wWAQ105VM9NX1Sv5Yq6iV67RqfhIMk6SIycm4kTvIr09mTCZ7iHjiWT8ZHwqTC5kLxJ4bCJMLuUukRMT',
  'kyfCRCXJ+HNJ8kx8bCQ1kSS9hxfC1w6HwiSVGD+biptDhEIhpzv4ZBAjGFhdqLxwFZYxnZmrlvR2WqeXpvqHG7j0aqyecbiDTzyBz+ucmq9U1Bfm',
  '1GJ2ZdN5F/crbvYWMwU1DK3QUgx7gocO4TtH9TFL0xW1PJ+p5kvFSv13x12j8TvAkeKCqh2/pXF3AH+G/4E/xX/Bf8S/x7/FH+OP8C/xL/DPAbe3',
  '8Y+Mh+zy0Ev3Xqj2dUG1Zw9UO3dBtX0HVB3bNTA7oGprh2pbG1SBbVC1BqBqaYXK3wKVz6dtSA9UHl2etR1Cev2E5HNcMsiZqfHTI1Pnyan4eTKS',
  'Sk6OJ2ALnY4nkmHS10dKLxZJca4wrZbDpFiqkkq1VFZzMEJBLZTK12CjViowahoG1GUpMQl/qQkQs9ly6ctqtrqiG96sqgtGb5hUr82qdz9ARp+N',
  'j57q1W+MJ0Akc2o2r1E4HCaHp+een8kvaN9y+Uq2NK+WQVxD+pj56lXVHLQyN13fnMlkqxXzezFTLoOczPN72RLI2Cy/DePM5EFc02U1k+Nv6x2F',
  'Ui4/k1d5J0ytMFtNG+siVAy8noU3q2ounVk57bo7aXW2lL0slr9+ZcYmp+LjJxMaFL0N6xsC9TUWn4onRuPnSCV3hd+q/K9HJxOg1SbioAhGR86N',
  'jjwT94e0nYHx3xBcdtnypR0rh3D9wbBfw9+PlxD+K/4d/jX+ALT92/iH+Lv4m9Bplw0pAb/LDSr5Zd706U1EDCurxetyQXNxWSs+j8tpPup1uxSj',
  '3+NyOfROj9OFfaht8SW34sKoFS0HHC6fBwXecRgjd2CX19PecfwTk9Lye2/4dfzfRPhNOO3/AKf/v/E/8Z/xb/D7+Kc2MputtCpuzLeJX2vwTeLz',
  'A+LGFvF6Faf+kMejKFqf2604oMPlUjBedGr1suJUfNihKF5fQDfqLyL8bTyEPoAv97MUne1oRyfa3XWA9mntJ12VPjp9tfS8cWQn9fO4/xw/mfsv',
  '9GjHMunvCZOe996Az4vFFYVF2EBfhPXR4SSjx1jkWKT/SCQS+RJ+jXR6vpNXdHr7gF43pxepXC7NcnPBoBgVFKMmxahJMVpHsZFUVJBSfqI6dFLd',
  'QKqTk2I6KW6DGLSYoMVMWsykxQxajWQYJ7Nz+cM0FivYJlZQI1O/glTQoCYNatKgQKORABUEPvuThr+CriDQ9v+BjwdZam0eMZnSqpMZFJMZNCcz',
  'aE5msHE7fG5pnPygAHHHczWnW2yYlMWGiQmeYiZPMZOn2L3x1MhGTLDRNvuSS+yl41Z7aUCwMWCyMWCyMWDBRiPtAUG75U5Ad9K/j/AFqDZtqTFf',
  'BweqdtQCqWGxRMPmEg2bSzS8jt2zdliHxdJ29dZ6vB0c11pAAKvpvxXADgmuh0yuh0yuh/5/rhuZHBJMBp828E8iHIPqfqGVbjEmvu/gQG3RakfT',
  'OtUldJdQXvQBQLbuVaNCa3b2/Kt20q/PcLc2w9Tqijkipxfh04vw6UU2ZnqNM4mImXS3G/6fF2Fvc1tWtblWQ8MAoteFsRLRhfUuDUPliU75kU75',
  'mU7ZQ9yy94y/MDA6v/CJjj/6FGlXU5TrrQEhutfTq4uuNBIptxIpNxNpdPPBvAb8pR37+PsG/h8h7doqCD++TRw/NyyNcyp9D8qdD8q9D9r/CIG8',
  'Jvyly3TkLQP/HyPtepQwHmsT6vrGpIVBSKXRTLnVTLnZTAe2BsRrxF/a/+x1A/9vIe3aZBBn24WiXgqsGj6g0jmj3Duj3D2jsSYAeM34S98z9rKB',
  '/zzSro0rNzwdQkUvTVqqaBkPoDwgQHlEgA7a8K4DfxkCOXbZwB9cv+R9RDe0XSjnm51Wylk6vpR7vpS7vnTIBvfB4C/9/6fOGPhTpF33Bu7EDqGW',
  'b1rYzzISQ3kohvJYDB22oX2I+Msg1YkhDUAmwxSMhykYD1OwiI3VpoeUyZDOGFlb7hH+XIgg/Cv8PTyFPkQrXr95aJfQ5a8ELOIiTPpSjPtSjPtS',
  'bEN8KWBu19KLQWFZ3DlqmZmRHj7jHj7jHj5bn4cP5IJLJx8TCvL26rFBVpcZEqkhkRsScSR4/bGl/Z0Cg1uLFucpg1udN+Z3ihW41WcVdoZb2s+G',
  'kAzCMh6EZTwIy6gt/ltIT8gg9hdlwNdeqObaBDL+e/rvNv7Nh7+M/5792Ma/+fCX8d/UOzb+zYe/jP+e/4GR/29F+ABqveXfIyzHV1OWtrMMujIe',
  'dGU86Mq2TNAVVqDrZnK3MOdfWf1nS0zmGRjPMzCeZ2CbM88Ac9lty3/zyb+M/1/8ho1/8+Ev4/+ZhUc0/3vrqS4REvnKcauQiMwfMZ4/Yjx/xJo7',
  'fwSrtteW/+aTf5n/US8Z8n8daddDEuXKXmFgfXX1fxNgMlfIeK6Q8Vwhs3OF65P//bb8N5/8y/xf/lnD/9uF0JhWyXI7v18csF+3yuFH4VbP7aP7',
  'hOf4tW5Lz1HmhRnPCzOeF2Z2XniD5V/LAR2U6d8oT/9Gefo3aqd/t/oesPX/o6rJozLtX4isz/r6L2rBWbsARgAA',
];

const LOG = [
  'H4sIAAAAAAACA+1YfWgbZRi/N/1a22VN283YrV3fdsuSrJeS3LGETTZMu2sNzdIuvWg/KFk+Lm1sk0tzl66FqlQrVITOgaJ/bv4xGQ4RxkD8Q/9Q',
  'KIP5wQZVmDIpomOoILj+4RB93ksuvaaDTUEnbR6S5957nvfjd/c+z+99EtcL5S9StpXHKUpHgaA/K2cl/vatJzzd+rpj1GfVxEYcqv2t5e8S9N36',
  'b/pPeuOygGNiOhGSMQujdTrqSYyp7ET74VuSG0uupdSaIOrBoqPaI0ivDLxAURfQe6gavUT9bZkfQhVGkwktnJZD4QlBDEtCeiokx8WkpG3rOv2c',
  'm+cw7+7wcljrwZYqjONR7PHxXDfnx31+zwm3fxD3cIPYHeB7yaNOlVQYjUY016OsMR5PRiVFla2bVTFhS2uIxuFWdT4aD0dGMHTz0vhU9BTu8PZ2',
  '0FjAPDfA4+Nclzvg5bHFPE3PmK00Dvg8JwNcbgqr1VpabjxqRBRMLExLkxOwH8FQRhaV+6CyXtChXMr7dOXGtjY0qCDMdZWEyYyQjBTelq5DXeC0',
  'JEMJgYY7a25f83HRaHj7o2ttA19RRdnqQnJ/vxoXzBJ/s5o9P0UcHh/E1gnOx9PYZsPi6SROZhJhIU3jpChjSRbTQhTSLSEkxPQMxJwkQQoGIfuU',
  'dPD1wjfghUxJpcVnhYhcYIaRsjCdtdJYnkkJ6zvgzqe4zh6L4vD4IKuiQiROVjDT2BzOjMbi06QVjUsRcUpIQ8ZZlTnj8oSQm1TKhLW3sVBElnLt',
  'ZCidBsqYUn0REdIlpbphnlgcMi+YFkJRdbRiSIjReCwuqEZ4tERKDmbfS54lYHgERspCNBgqfGyNJyikxMhYnqvWuuSfKSiL4wKwmtpFpRg7WaKr',
  '1895un2E2ywb9sAKLNXF+TlfJ9ePpei46pLu17XXBzN7OWCRTnd/p/s4V2UtPEeW916/tLrEHHvAOXJQE1fFc2RzniM6bVw4LIf7hn9YMpSBrRa9',
  'S1wH0D20in5FP6Ef0Qr6Fn2NbqDP0VX0KfoYfYiuoPez3Yry6KRlL6jmRlBNe0Dt3g1qJ9SUVF092cc6UIZaUDUGUDtqQOl3gNpOMrN6O6gqUmhW',
  'VoLaVgGqorSwvqiVnItde38+AyYTEDDrGG4l9AuNVhq3fnKRNEaSRdnsop4BalwY9j3T8MXL75wnkYTQLxR8irLpxYBKTEh7vrYQ5tDGxer3Z9ub',
  'QrNtejQPB8w4Rf0BavxfBTVXU2Gg6ndRDXtaHCIxHC2TbA5pTExlq0teKR1d/WoR6cpRmCvHYK5/QGCMnTlkszM2x2GecRxh7Efsrna73T6E3sC7',
  '6gfmSssVRE2AKKAishNEau2bxeTMY3LmMDlzmJwPh2kjDGceRk0KFp59hMFi0sbF1Z3nXl8um3uV2IpsupllQ0yyjnxMTpLa5IA2LpoWPrh4Z2Ws',
  'Wq8UHucodA09DZf/nbxibqlTUrpp36GzNdmc3nbfpGbZfFazrFotsWq1xP5n1RJAtC6MYgV1M6B+TZ9HzYQnxNH8j9McbGYNNqPCZlTYzMPChiXM',
  'C6ZmZdUGWPXM2rvaQMmsI7tkruY0a+Mi8fvImxH23pdgshRzakvXnRZtXPxma7yzeCk2WDxHtt45wuTPkQzZfqs2Lp6/fvnm0JX2u+S/q+K729J8',
  'Qf67PKjGxeKNy489x9+aL/LF1uMLNs8X07f/AtKqJ6ZwHQAA',
];
