import type { BounceMeaning } from './meanings.js';

/**
 * What mail systems write beside their codes, and often instead of them, in lower case and without addresses and links.
 *
 * `firm`: the words say more than any code, such as "too many recipients this hour" beside 5.1.1. `code`: a code that names the address
 * says more, and so do the words of `mailbox` rows for `last` rows, which many systems add to every refusal.
 *
 * Sources: RFC 5321 (4.2.3) and RFC 3463 for the standard texts; the manuals and message files of Postfix (`smtp`, `bounce`, access
 * maps), Sendmail (`sendmail.cf`, `mailstats`), Exim (chapter 48), qmail (`qmail-remote`, `qmail-send`), OpenSMTPD (`smtpd`), DragonFly
 * (`dma`), Courier, Domino and Exchange ("Non-delivery reports in Exchange Online"); Google, "SMTP error reference"; Yahoo, "SMTP error
 * codes"; Outlook.com, "Postmaster: troubleshooting"; Apple, "Postmaster information for iCloud Mail"; GMX, mail.ru, Orange, La Poste,
 * Tencent, Mimecast and Spamhaus, their pages for postmasters.
 */
interface PhraseRow {
  readonly meaning: BounceMeaning;
  readonly strength: 'firm' | 'code' | 'mailbox' | 'last';
  readonly phrases: readonly RegExp[];
}

/** In the order in which they are looked for: the first row that matches counts. */
export const replyPhrases: readonly PhraseRow[] = [
  {
    // Said of the address, and always after the content: Yahoo, "SMTP error codes", 554 delivery error.
    meaning: 'no_mailbox',
    strength: 'firm',
    phrases: [/\bdelivery error: dd this user does ?n[o']t have\b|\bdelivery error: dd \S* ?(?:not a valid|requested mail action)/],
  },
  {
    meaning: 'relaying',
    strength: 'firm',
    phrases: [
      /\brelay(?:ing)?\b.{0,40}\b(?:den(?:y|ied)|not (?:allowed|permitted|supported|accepted|possible)|prohibited|refused|rejected|forbidden|disabled|blocked|required)|\b(?:unable|not (?:allowed|permitted|configured|going|able)|cannot|can't|won't|do(?:es)? not|don't|no|refus\w+) (?:to )?(?:\w+ )?relay|\brelay (?:not permitted|access|denied)|\brelaying\b|\bis not local\b.{0,40}\brelay|\brcpthosts\b|\bnot a gateway\b/,
    ],
  },
  {
    meaning: 'listed',
    strength: 'firm',
    phrases: [
      /\b(?:black|block|deny)[ -]?list/,
      /\bdns ?[br]l\b|\b[rd]bl\b|spamhaus|spamcop|sorbs|senderscore|barracuda ?central/,
      /(?<!\bnot )\blisted (?:in|on|at|by)\b|\bis listed\b/,
      /\bblocked (?:using|by|for|from|ip|because|due|-|$)|\bsource blocked\b|\bblocked see\b|\bis (?:currently )?(?:being )?blocked\b(?! .{0,20}mailbox)/,
      /\bbann(?:ed|ing)\b/,
      /\b(?:poor|bad|low|sender|ip|domain|no|their) reputation\b|reputation (?:is|of|score|filter)|\breputation\b/,
      /\b(?:ptr|rdns)\b|reverse[ -](?:dns|lookup|ip|address|mapping|hostname|host)|no reverse|matching reverse|reverse .{0,30}(?:fail|mismatch|not)/,
      /\bclient host\b.{0,60}(?:rejected|blocked|refused|denied)|\bclient .{0,40}(?:rejected|blocked|refused)\b|cannot find your (?:reverse )?hostname/,
      /\b(?:ip|host|server|network|client|domain|mta)(?: address)?(?: \[?[\d.:a-f]+\]?)? (?:is |are |was |has been |have been |been |being )?(?:not allowed|blocked|rejected|banned|denied|refused|bloqu[ée]e?)\b(?! recipients?\b)/,
      /\baccess denied\b|\binvalid ip\b|\bno access from\b|\bconnections? not accepted\b|\bconnection(?:s)? (?:was )?(?:rejected|denied) by\b/,
      /\bmay not be mail exchanger\b|\bdynamic(?:ally)? (?:ip|assigned|address)|\bresidential\b|\bopen (?:relay|proxy)\b/,
      /\b(?:invalid|bad|unacceptable|refused) (?:helo|ehlo|hostname|host name)|helo command rejected|\b(?:helo|ehlo)\b.{0,40}(?:rejected|invalid|not)/,
      /refused to talk to me: 5\d\d|\bservice refused?\b|\bwe do not accept mail from\b|\bmail from \S+ (?:is )?(?:refused|rejected|not accepted)/,
      /\b(?:mails?|messages?|e-?mails?|traffic) from (?:your|this|the|that) (?:ip|host|server|domain|network|address|sender)\b/,
      /\btemporarily deferred due to\b|\bunusual (?:rate|volume|amount|traffic)|\buser complaints\b/,
      /\b(?:adresse|ip) .{0,20}bloqu|\bbloqu[ée]e? pour\b/,
    ],
  },
  {
    meaning: 'authentication',
    strength: 'firm',
    phrases: [
      /\b(?:spf|dkim|dmarc|arc|sender ?id|domainkeys?)\b/,
      /\bunauthenticated\b|\bnot authenticated\b|\bauthentication (?:required|fail|checks?|information|is required|needed|credentials)|\bauth(?:entication)?[ _-]?required\b/,
      /\bfails? to pass authentication|\bnot pass .{0,30}(?:verification|authentication|check)|\bmust (?:be )?authenticat|\bplease (?:authenticate|login)\b|\blog ?in first\b/,
      /\b(?:start)?tls\b|\bencryption (?:needed|required)/,
    ],
  },
  {
    meaning: 'content',
    strength: 'firm',
    phrases: [
      /(?<!anti-?|no |not )\bspam(?!haus|cop)(?:my|ming|minator)?\b|\bspam[ -]?(?:signature|detected|content|like|score|firewall)|mcspamsignature/,
      /\bvirus|malware|trojan|\binfected\b|\bphish|\bworm\b|\bransomware/,
      /\bunsolicited\b|\bbulk (?:e-?)?mail\b|\bjunk\b|\bsuspicious\b|\bunwanted\b/,
      /\bcontent (?:is |was )?(?:rejected|filter|denied|blocked|refused|not|policy|unacceptable)|\brejected (?:by|due to|for|because of) .{0,20}content|\bmessage content\b|\bbody (?:type|content)|\bbody of (?:the )?message generated\b/,
      /\b(?:attachments?|file(?: ?name)? extensions?|files? types?|executables?)\b.{0,60}(?:not (?:allowed|accepted|permitted)|prohibited|rejected|blocked|forbidden|denied|banned|illegal)/,
      /\bblacklisted url|\burl\b.{0,40}(?:blocked|rejected|blacklisted)|\bheaders? too (?:large|long)|\bduplicate header|\bmissing .{0,20}header|\bheader .{0,30}(?:missing|invalid|malformed|rejected)/,
      /\bmultiple addresses in from\b|\b(?:not|non|isn't)[ -](?:rfc ?-?\d{3,4} )?complian|\brfc ?-?\d{3,4}\b.{0,40}(?:complian|violat|format|invalid|required)|(?:complian|violat|format|invalid|accord|requir)\w*.{0,30}\brfc ?-?\d{3,4}|\bbare (?:lf|cr|line ?feed)|\bmalformed\b|\bbad (?:message|header)|\b8-?bit\b|\bmime\b.{0,30}(?:error|invalid|not)/,
      /\bscored as\b|\bmessage (?:was |has been |is |looks |appears )?(?:rejected as|like|considered|classified|identified|filtered|blocked|quarantined)\b/,
    ],
  },
  {
    meaning: 'rate',
    strength: 'firm',
    phrases: [
      /\btoo (?:many|much|fast|frequent)\b|\btoo often\b|\b(?:directory|dictionary)[ -](?:harvest|attack)|\b(?:excessive|no more) (?:unknown|invalid|bad) (?:recipients|users|addresses)|\bdue to (?:unknown|invalid) (?:recipients|users)/,
      /\b(?:rate|frequency|volume|concurren\w+|connections?|sessions?|hourly|daily|sending|sent|recipients?|messages?|smtp)\b.{0,20}\b(?:limit(?:ed|s)?|exceeded|throttl\w*|restricted|quota)\b/,
      /\bthrottl|\bgr[ea]y-?list|\bslow down\b|\bat a (?:rate|too high)|\bper (?:hour|day|minute)\b|\bthis hour\b|\bexceed\w* .{0,30}(?:connections?|recipients|per (?:hour|day))/,
    ],
  },
  {
    meaning: 'full',
    strength: 'firm',
    phrases: [
      /\b(?:mail ?box|in ?box|mail ?folder|mail ?drop|account|maildir|user|recipient|disk|folder|file ?system|mail ?spool)\b.{0,40}\b(?:is |are |was |too |over)?(?:full|over ?(?:quota|flow)|exhausted)\b/,
      /\bover (?:the |his |its |their |your )?(?:\w+ )?(?:quota|limit|size|storage)|\b(?:quota|space|storage)\b.{0,40}\b(?:exceed\w*|full|reached|violation|exhausted|limit|depass\w+|dépass\w+)|\bexceed\w*\b.{0,60}\b(?:quota|storage|space|allocation|mailbox|disk)|\bquotaexceeded|\bshutoffquota/,
      /\b(?:out of|insufficient|not enough|no|low) (?:\w+ )?(?:storage|space|disk)|\binsufficient (?:system )?(?:storage|resources)|\bno (?:more )?space left|\bmailfull|\bfull mailbox|\b(?:user|account|mailbox|recipient) has exceeded\b|\bspace has been used up|\bnot have enough space|\bmailbox (?:size|limit)/,
      /\bbo[iî]te .{0,30}pleine|\bpostfach .{0,30}voll|\bvoller postkasten|\bbuz[oó]n .{0,30}lleno|\bcasella .{0,30}piena|\bcaixa .{0,30}cheia|\bпереполнен|メールボックス.{0,20}(?:一杯|いっぱい|満杯|容量)|容量.{0,10}(?:超|オーバー)/,
    ],
  },
  {
    meaning: 'too_large',
    strength: 'firm',
    phrases: [
      /\b(?:message|mail|e-?mail|size|content|body|attachment|data)\b.{0,40}\b(?:too (?:large|big|long)|exceed\w*|larger than|over(?:size|limit))|\bexceed\w*\b.{0,60}\b(?:size|limit|maximum)|\bsize limit|\brecipsizelimit|\bmaximum (?:message )?size/,
    ],
  },
  {
    meaning: 'sender_address',
    strength: 'firm',
    phrases: [
      /\bsender(?:'s)?\b.{0,60}\b(?:rejected|refused|denied|invalid|unknown|not (?:allowed|verified|accepted|valid|found|exist)|does not (?:exist|resolve)|fail\w*|bad|blocked|required)|\b(?:bad|invalid|unknown|unverified|forged|unauthori[sz]ed|unresolvable) sender|\bsender (?:verify|verification|domain|address)\b/,
      /\bdomain of (?:the )?sender\b|\byour (?:domain|address|host|server)\b.{0,40}\b(?:not|invalid|unknown|fail\w*)|\b(?:resolve|verify|find) your\b|\b(?:mail from|return[ -]?path|from address|from:? (?:field|header)|envelope[ -]from)\b.{0,60}\b(?:rejected|refused|denied|invalid|not (?:allowed|accepted|valid|exist)|does not|unknown|fail\w*|must)\b|\bemail address is not verified|\bidentit(?:y|ies) failed the check|\bsending (?:to\/from|domain|address) .{0,40}(?:rejected|not|invalid|fail)|\bnot allowed to send (?:from|as)|\bsend ?as ?denied/,
    ],
  },
  {
    meaning: 'name_server',
    strength: 'firm',
    phrases: [
      /\bservfail\b|\bhost (?:name )?lookup (?:failure|failed|deferral|deferred)|\bdeferred: name server|\b(?:dns|name server|name service|nameserver)\b.{0,60}\b(?:timed? ?out|timeout|try again|temporar\w+|refused|not respond\w*|fail(?:ed|ure) temporarily)|\b(?:lookup|resolution|resolve) .{0,30}(?:temporar\w+|try again|timed? ?out|deferred)|\bcname lookup failed|\bunable to (?:look ?up|resolve) .{0,20}(?:at this time|temporar)|\btemporary (?:dns|lookup|name|resolution|failure in name)|\bdns query failed|\bdns\b.{0,20}\bserver fail/,
      /\bhost not found, try again/,
    ],
  },
  {
    meaning: 'system',
    strength: 'firm',
    phrases: [
      /\bunknown temporarily\b|\btemporar(?:il)?y (?:unknown|fail\w*|rejected|unavailable|deferred|lookup|problem|error)|\b(?:lookup|verification) (?:temporarily )?failed\b/,
    ],
  },
  {
    meaning: 'routing',
    strength: 'firm',
    phrases: [
      /\b(?:maximum )?hop count\b|\brouting loop|\btoo many (?:hops|received)|\b(?:mail|forwarding|delivery|alias|message) (?:is )?loop|\bloops? back\b|\bloop(?:ing)? detected|\bmail for \S* ?loops|\bcircular\b|\bloopdetected/,
    ],
  },
  {
    meaning: 'disabled',
    strength: 'code',
    phrases: [
      /\b(?:account|mail ?box|user|recipient|address|inbox|e-?mail account|compte|mailer)\b.{0,60}\b(?:(?:is|was|has been|been|being|temporarily|currently|are|d\w*e?st)? ?(?:disabled|suspended|inactive|locked|blocked|frozen|deactivated|on hold|not active(?:d)?|not activated|expired|restricted|discontinued|out of service|bloqu[ée]|d[ée]sactiv[ée]|gesperrt|deaktiviert|inactif))/,
      /\b(?:disabled|suspended|inactive|frozen|locked|deactivated) (?:account|mail ?box|user|recipient|address|e-?mail)|\bdisableduser\b|\bdisabled\b|\bmailbox (?:currently |temporarily )?(?:suspended|unavailable temporarily)|\bno longer on server|\bnot allowed to receive\b/,
    ],
  },
  {
    meaning: 'restricted',
    strength: 'firm',
    phrases: [
      /\bnot (?:authori[sz]ed|allowed|permitted|entitled) to (?:send|post|mail|e-?mail|write)|\bnot (?:have )?permissions? to|\bpermission to (?:post|send)|\bnot accept(?:ing)? (?:\w+ )?(?:mail|messages?|e-?mails?)?\s?from|\bonly accepts?\b|\baccepts? (?:mail|messages?) only|\brecipnotauth|\bnot a member|\bnon-?member|\bmembers only|\bmoderat(?:ed|or)/,
      /\bbased on the email preferences\b|\b(?:recipient|user|customer|subscriber|addressee) (?:\w+ )?(?:refuses|rejects|does not want|doesn't want|does not accept|not interested|has (?:blocked|filtered|refused|rejected))|\brecipient preferences\b|\bonly accepting (?:mail|messages) from|\bnot accepting (?:any |new )?(?:mail|messages)|\bdue to user rules|\bprotected by\b|\bhas restricted\b|\bnew mail is not (?:currently )?being accepted|\brejected by (?:the )?(?:recipient|user|rule|addressee)\b(?!'s? | (?:domain|server|mail|host|system))|\bprivacy settings\b|\b(?:personal|user|recipient'?s?) filter/,
    ],
  },
  {
    meaning: 'expired',
    strength: 'firm',
    phrases: [
      /\b(?:retry|delivery|queue|envelope|message|mail)\b.{0,30}\b(?:time ?out exceeded|expired|timed out)\b|\bqueue\.?expired|\bnot delivered within\b|\bin (?:the )?queue (?:too long|for)\b|\bi'm not going to try again|\bunable to deliver this message after\b|\bfor the last \d+ seconds|\bdelivery (?:failed )?\d+ attempts|\bfailed \d+ (?:attempts|times|tries)|\btoo long (?:in|on) (?:the )?(?:queue|server)|\bcould not (?:be )?(?:send|sent|deliver\w*) .{0,30}(?:for|past|within|after) (?:the )?(?:last|past|\d+)|\bmaximum (?:time|retries|number of (?:attempts|retries))|\bgiv(?:e|en|ing) up after\b|\bcannot send message (?:for|within)\b/,
    ],
  },
  {
    meaning: 'no_mailbox',
    strength: 'mailbox',
    phrases: [
      /\b(?:user|recipient|mail ?box|account|address|addressee|e-?mail(?: account| address)?|inbox|local part|destinat(?:ion|aire)|alias|person|customer|subscriber|login|rcpt|user ?id|user ?name)s?(?:[ "'()<>-]+(?!host|domain)[\w'-]+){0,6}?[ "'():,=-]+(?:unknown|not (?:be )?(?:found|known|exist\w*|valid|here|listed|registered|recogni[sz]ed|hosted|local|our|a valid|in service|available|present|ok)|invalid|doesn'?t exist|do(?:es)? ?n[o']t exist|is not (?:a )?(?:known|valid|here)|isn't|nonexist\w*|unrout\w+|undeliverable|unavailable|unavaiable|deleted|removed|terminated|no longer|couldn't be found|could ?n[o']t be found|has left|illegal|incorrect|wrong|obsolete|archived|inconnue?|invalide|n'existe pas|cancell?ed)\b/,
      /\b(?:unknown|invalid|no such|non-?existe?n?t?|bad|unrouteable|unroutable|undeliverable|incorrect|illegal|not (?:a )?(?:known|valid|local|registered)|not our|unrecogni[sz]ed|no valid|no local|cannot find(?: your)?|can't find|unable to find(?: the)?|could not find(?: a)?|couldn't find(?: a)?) (?:\w+[ -]){0,3}?(?:user|recipient|mail ?box|account|address|addressee|e-?mail|local part|person|destination (?:mailbox|address)|customer|subscriber|rcpt|alias|login|user ?(?:name|id)|mail drop|name)s?\b/,
      /\b(?:user|recipient|rcpt)(?:unknown|notfound)\b|\brecipnotfound\b|\bresolver\.adr\.\w*notfound|\bnosuchuser\b/,
      /\bbad-?recipient\b|\bbadrcptto\b|\bvalidrcptto\b|\bdelivery (?:failed|error): .{0,20}no such|\bdestination server rejected recipients|\ball recipients? (?:addresses )?rejected|\bdestination addresses were unknown|\bsorry, your envelope recipient|\brecipient (?:address )?(?:is )?not (?:ok|accepted)|\bno existe (?:dicha|ese|esa|este|la|el) |\bthere is no one at|\bnot an active address|\bno recipient found|\bobsolete recipient|\bno mail ?box available|\bno longer (?:accepts mail|valid|exists|in use|available|with)\b|\bmissing home directory|\bdoes not exist here\b|\bno such\b(?! (?:host|domain|file|process|command|thing))|\baccount (?:name )?(?:is )?not known/,
      /\bno (?:mail ?box|account|user|such \w+) (?:here|by that|with that|of that|for|found|named)|\bnot listed in (?:the )?(?:domino|public|address|directory|local)|\bnobody (?:here|by that)|\bno one (?:here|by)|\bno such (?:user|person|one|mailbox|account|recipient|address)|\bsuch user|\brequested mail ?box unavailable|\baccount (?:has been |was |is )?(?:closed|deleted|cancell?ed|terminated)|\bmailbox (?:has been |was |is )?(?:closed|deleted|removed)|\bcheck (?:if|that|whether) (?:the )?address is correct/,
      /\b(?:adresse|destinataire|utili[s]ateur|compte|bo[iî]te)\b.{0,60}\b(?:inconnue?|invalide|inexistante?|n'existe)|\b(?:benutzer|empf[aä]nger|postfach|adresse)\b.{0,40}\b(?:unbekannt|existiert nicht|nicht gefunden|ung[uü]ltig)|\b(?:usuario|destinatario|buz[oó]n|cuenta)\b.{0,40}\b(?:desconocid[oa]|no existe|inexistente|inv[aá]lid[oa])|\b(?:utente|destinatario|casella)\b.{0,40}\b(?:sconosciut[oa]|inesistente|non esiste)|\b(?:usu[aá]rio|destinat[aá]rio|conta)\b.{0,40}\b(?:desconhecid[oa]|n[aã]o existe|inexistente)|\bgebruiker\b.{0,30}\bonbekend|пользовател\S+ .{0,20}(?:не найден|не существует|неизвест)|(?:宛先|ユーザ|アドレス).{0,20}(?:見つかりません|存在しません|不明)|用户不存在|用戶不存在|收件人.{0,6}不存在/,
    ],
  },
  {
    meaning: 'takes_no_mail',
    strength: 'mailbox',
    phrases: [
      /\bnull ?mx\b|\bno smtp service\b|\bindicated no (?:smtp|mail)|\bdoes(?: not|n't) (?:receive|accept) (?:e-?)?mail\b(?! from)|\bno mx (?:found|record|host)|\bcouldn't find a mail exchanger|\bno mail exchanger|\bdomain does not accept\b|\bnever accepts? mail|\bdoes not accept any\b/,
    ],
  },
  {
    meaning: 'no_domain',
    strength: 'mailbox',
    phrases: [
      /\bnxdomain\b|\bdomain must exist\b|\bdomain is not reachable\b|\bhost(?: or domain)?(?: ?name)? (?:is )?(?:not found|unknown)|\bhost \S* ?not found|\bunknown (?:host|domain|mail host)|\b(?:no|invalid|bad|illegal|unrouteable|unroutable|unresolvable) (?:such )?(?:mail )?(?:domain|host)(?: ?name)?\b|\bdomain(?: name)?\b.{0,40}\b(?:does ?n[o']t exist|not (?:be )?(?:found|exist|resolve)|couldn't be found|unknown|invalid|non-?existent|is not valid)|\bcouldn'?t find any host\b|\bcould not be resolved\b|\bno relevant answers\b|\bname or service not known|\bbad destination (?:host|system|domain)|\bnon-?existent domain|\bno (?:a|mx) records? (?:for|found)|\binvalid mx|\bmail exchanger .{0,20}(?:not|could)|\bunable to (?:find|resolve) .{0,30}(?:host|domain)|\bdomain_not_found|\bunrouteable mail domain/,
    ],
  },
  {
    meaning: 'moved',
    strength: 'mailbox',
    phrases: [
      /\b(?:has|have) (?:moved|changed (?:his|her|their|its|email))|\bmoved (?:to|permanently)|\baddress (?:has )?changed|\bnew (?:e-?mail )?address (?:is|of)|\bno longer (?:works|employed|at this)|\bthis address has been replaced/,
    ],
  },
  {
    meaning: 'policy',
    strength: 'code',
    phrases: [
      /\bpolic(?:y|ies)\b|\badministrativ|\b(?:prohibited|forbidden|not permitted|not allowed|not accepted|unacceptable|disallowed)\b|\bdenied\b|\bsecurity (?:reason|violation|check)|\bviolat/,
    ],
  },
  {
    meaning: 'network',
    strength: 'last',
    phrases: [
      /\bconnection (?:timed? ?out|refused|reset|dropped|lost|closed|failed|aborted|failure)|\bno route to host|\bnetwork (?:is )?(?:unreachable|error|problem|down)|\b(?:operation|conversation|session|read|write|socket|data) .{0,40}time[d]? ?out|\blost connection|\bnot respond\w*|\bdid not accept our requests|\b(?:could not|couldn't|unable to|cannot|failed to) (?:be )?(?:connect|contact|establish|reach)|\bbroken pipe|\ball hosts\b.{0,40}\bfail|\bserver (?:is )?(?:busy|down|unavailable)|\bservice (?:is )?(?:temporarily )?(?:not available|unavailable)|\bclosing (?:transmission|connection)|\bunreachable\b|\bno connection\b|\bconnect(?:ion)? to \S+ .{0,20}:|\btime[d -]?out\b|\bhost (?:is )?(?:down|unavailable)/,
    ],
  },
  {
    meaning: 'system',
    strength: 'last',
    phrases: [
      /\b(?:system|internal|server|local|temporary|configuration|software|processing|queue file|i\/o|input\/output|unexpected|delivery|mailer|gateway|transport) (?:\w+ )?(?:error|problem|trouble|failure|incapable|fault)|\btemporar(?:y|ily)\b|\btry (?:again|later)|\btransaction failed|\binsufficient permission|\bpermission denied|\bcould not find a gateway|\b(?:unable|failed|cannot|can't) (?:to )?(?:write|create|open|lock|append)|\bnot implemented|\bsyntax error|\bbad sequence|\bprotocol (?:error|violation)|\b(?:unrecogni[sz]ed|invalid|bad|unknown) command/,
    ],
  },
];
