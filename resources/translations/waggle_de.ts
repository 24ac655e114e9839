<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>AboutSection</name>
    <message>
        <source>Whose work is in it</source>
        <translation>Wessen Arbeit darin steckt</translation>
    </message>
    <message>
        <source>Lends a computer to a swarm of small models.</source>
        <translation>Leiht einen Computer an einen Schwarm kleiner Modelle.</translation>
    </message>
    <message>
        <source>Free software under the Apache License, version 2.0.</source>
        <translation>Freie Software unter der Apache-Lizenz, Version 2.0.</translation>
    </message>
    <message>
        <source>This Waggle runs from its source. The licences of the libraries that it uses lie with each of them, in the environment that Waggle was installed into; its own is the file LICENSE.</source>
        <translation>Dieses Waggle läuft aus seinem Quelltext. Die Lizenzen der Bibliotheken, die es benutzt, liegen bei ihnen selbst, in der Umgebung, in die Waggle installiert wurde; seine eigene ist die Datei LICENSE.</translation>
    </message>
</context>
<context>
    <name>AddForm</name>
    <message>
        <source>Name of a model on Hugging Face</source>
        <translation>Name eines Modells auf Hugging Face</translation>
    </message>
    <message>
        <source>Look it up</source>
        <translation>Nachsehen</translation>
    </message>
    <message>
        <source>Another model</source>
        <translation>Ein anderes Modell</translation>
    </message>
    <message>
        <source>Any small model of the Llama or Qwen family, by its name on huggingface.co. Nothing is downloaded before you have seen how large it is and whether it fits.</source>
        <translation>Jedes kleine Modell der Familien Llama oder Qwen, mit seinem Namen auf huggingface.co. Geladen wird nichts, bevor du gesehen hast, wie groß es ist und ob es passt.</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Wird nachgesehen…</translation>
    </message>
    <message>
        <source>Write it as owner/name, as its page on huggingface.co shows it.</source>
        <translation>Schreib ihn als Besitzer/Name, wie ihn seine Seite auf huggingface.co zeigt.</translation>
    </message>
</context>
<context>
    <name>AddHub</name>
    <message>
        <source>Add one by its address</source>
        <translation>Einen mit seiner Adresse hinzufügen</translation>
    </message>
    <message>
        <source>https://hub.example.org</source>
        <translation>https://hub.example.org</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Add this meeting point</source>
        <translation>Diesen Treffpunkt hinzufügen</translation>
    </message>
    <message>
        <source>There are {} already, as many as are asked. Remove one first.</source>
        <translation>Es gibt schon {}, mehr werden nicht gefragt. Entferne zuerst einen.</translation>
    </message>
</context>
<context>
    <name>AddressQuestion</name>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Do not connect</source>
        <translation>Nicht verbinden</translation>
    </message>
</context>
<context>
    <name>AmountsSection</name>
    <message>
        <source>Processor</source>
        <translation>Prozessor</translation>
    </message>
    <message>
        <source>Small ones always take the processor. Counts from the next start of practice.</source>
        <translation>Kleine nehmen immer den Prozessor. Gilt ab dem nächsten Start des Übens.</translation>
    </message>
    <message>
        <source>Cores at work</source>
        <translation>Beteiligte Kerne</translation>
    </message>
    <message>
        <source>As many as help</source>
        <translation>So viele, wie helfen</translation>
    </message>
    <message>
        <source>Counts from the next start of practice. Small models need only one.</source>
        <translation>Gilt ab dem nächsten Start des Übens. Kleine Modelle brauchen nur einen.</translation>
    </message>
    <message>
        <source>Share of the time</source>
        <translation>Anteil an der Zeit</translation>
    </message>
    <message>
        <source>All of it</source>
        <translation>Die ganze</translation>
    </message>
    <message>
        <source>It rests between rounds: cooler, quieter, and slower to learn.</source>
        <translation>Zwischen den Runden ruht es: kühler, leiser, und es lernt langsamer.</translation>
    </message>
    <message>
        <source>Never mind</source>
        <translation>Egal</translation>
    </message>
    <message>
        <source>Left for everything else</source>
        <translation>Bleibt für alles andere</translation>
    </message>
    <message>
        <source>Memory that stays free</source>
        <translation>Arbeitsspeicher, der frei bleibt</translation>
    </message>
    <message>
        <source>Practice pauses while less than this is free.</source>
        <translation>Das Üben pausiert, solange weniger als das frei ist.</translation>
    </message>
    <message>
        <source>Disk space that stays free</source>
        <translation>Platz auf der Festplatte, der frei bleibt</translation>
    </message>
    <message>
        <source>Downloading models</source>
        <translation>Modelle laden</translation>
    </message>
    <message>
        <source>As fast as they come</source>
        <translation>So schnell sie kommen</translation>
    </message>
    <message>
        <source>Models are large, and only downloaded when you ask for one. Practice itself exchanges a few kilobytes of text a round. Counts from the next download.</source>
        <translation>Modelle sind groß und werden nur geladen, wenn du es willst. Das Üben selbst tauscht je Runde wenige Kilobyte Text aus. Gilt ab dem nächsten Download.</translation>
    </message>
    <message>
        <source>Puzzles</source>
        <translation>Rätsel</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Where models are trained</source>
        <translation>Wo Modelle trainiert werden</translation>
    </message>
    <message>
        <source>Automatic goes on to harder puzzles as easier ones go well. Counts from the next start of practice.</source>
        <translation>Automatisch geht zu schwereren Rätseln weiter, wenn leichtere gut gehen. Gilt ab dem nächsten Start des Übens.</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
</context>
<context>
    <name>AnswerList</name>
    <message>
        <source>{} times</source>
        <translation>{}-mal</translation>
    </message>
    <message>
        <source>{verdict}, {times} times</source>
        <translation>{verdict}, {times}-mal</translation>
    </message>
</context>
<context>
    <name>BarChart</name>
    <message>
        <source>Chart: practice per day</source>
        <translation>Diagramm: Üben pro Tag</translation>
    </message>
</context>
<context>
    <name>Catalogue</name>
    <message>
        <source>Chosen by its name on Hugging Face; nobody has tried it here yet.</source>
        <translation>Nach seinem Namen auf Hugging Face gewählt; hier hat es noch niemand ausprobiert.</translation>
    </message>
    <message>
        <source>see its page on Hugging Face</source>
        <translation>siehe seine Seite auf Hugging Face</translation>
    </message>
    <message>
        <source>The smallest one: on any laptop it tries puzzles and learns from them within seconds.</source>
        <translation>Das kleinste: Auf jedem Laptop versucht es Rätsel und lernt daraus, alles in Sekunden.</translation>
    </message>
    <message>
        <source>Larger: slower to practise with, and with more room to learn.</source>
        <translation>Größer: Es übt langsamer und kann mehr lernen.</translation>
    </message>
    <message>
        <source>The smallest one that speaks: short answers, and most computers can train it.</source>
        <translation>Das kleinste, das spricht: kurze Antworten, und die meisten Computer können es trainieren.</translation>
    </message>
    <message>
        <source>Speaks more surely than its small sister, at three times the work.</source>
        <translation>Spricht sicherer als seine kleine Schwester, bei dreimal so viel Arbeit.</translation>
    </message>
    <message>
        <source>Knows some arithmetic from the start, and learns quickly.</source>
        <translation>Kann von Anfang an etwas rechnen und lernt schnell.</translation>
    </message>
    <message>
        <source>A newer one of nearly the same size, which follows instructions better.</source>
        <translation>Ein neueres von fast derselben Größe, das sich besser an Anweisungen hält.</translation>
    </message>
    <message>
        <source>Meta&apos;s small one: good with words, for computers with 8 GB or more.</source>
        <translation>Das kleine von Meta: gut mit Worten, für Computer mit 8 GB oder mehr.</translation>
    </message>
    <message>
        <source>Meta asks you to accept its licence on huggingface.co before it lets you download this model, and the download needs your access token.</source>
        <translation>Meta möchte, dass du seine Lizenz auf huggingface.co annimmst, bevor du dieses Modell laden darfst, und zum Laden braucht es deinen Zugangsschlüssel.</translation>
    </message>
    <message>
        <source>Solves many puzzles from the start; for a computer with a good graphics card or patience.</source>
        <translation>Löst viele Rätsel von Anfang an; für einen Computer mit guter Grafikkarte, oder mit Geduld.</translation>
    </message>
    <message>
        <source>Reasons well for its size; for a computer with a good graphics card or patience.</source>
        <translation>Denkt gut für seine Größe; für einen Computer mit guter Grafikkarte, oder mit Geduld.</translation>
    </message>
    <message>
        <source>Strong and slow: for a graphics card with 12 GB or more.</source>
        <translation>Stark und langsam: für eine Grafikkarte mit 12 GB oder mehr.</translation>
    </message>
    <message>
        <source>Its licence allows research and personal use, and no commercial use.</source>
        <translation>Seine Lizenz erlaubt Forschung und persönlichen Gebrauch, aber keinen gewerblichen.</translation>
    </message>
    <message>
        <source>The strongest one offered here: for a graphics card with 16 GB or more.</source>
        <translation>Das stärkste, das hier angeboten wird: für eine Grafikkarte mit 16 GB oder mehr.</translation>
    </message>
    <message>
        <source>Write a number in another base</source>
        <translation>Eine Zahl zu einer anderen Basis schreiben</translation>
    </message>
    <message>
        <source>Work out an expression</source>
        <translation>Einen Ausdruck ausrechnen</translation>
    </message>
    <message>
        <source>Find the rule that changes a row of colours</source>
        <translation>Die Regel finden, die eine Reihe von Farben verändert</translation>
    </message>
    <message>
        <source>Say what a Brainf*ck program prints</source>
        <translation>Sagen, was ein Brainf*ck-Programm ausgibt</translation>
    </message>
    <message>
        <source>Draw the strongest short conclusion</source>
        <translation>Den stärksten kurzen Schluss ziehen</translation>
    </message>
    <message>
        <source>Simplify a fraction</source>
        <translation>Einen Bruch kürzen</translation>
    </message>
    <message>
        <source>Work out an expression with decimals</source>
        <translation>Einen Ausdruck mit Dezimalzahlen ausrechnen</translation>
    </message>
    <message>
        <source>Count days and weekdays</source>
        <translation>Tage und Wochentage zählen</translation>
    </message>
    <message>
        <source>Give each cell&apos;s distance to the nearest zero</source>
        <translation>Zu jedem Feld den Abstand zur nächsten Null angeben</translation>
    </message>
    <message>
        <source>Continue a sequence of numbers</source>
        <translation>Eine Zahlenfolge fortsetzen</translation>
    </message>
    <message>
        <source>Solve an equation</source>
        <translation>Eine Gleichung lösen</translation>
    </message>
    <message>
        <source>Spell a word backward</source>
        <translation>Ein Wort rückwärts buchstabieren</translation>
    </message>
    <message>
        <source>Find the least common multiple</source>
        <translation>Das kleinste gemeinsame Vielfache finden</translation>
    </message>
    <message>
        <source>Find the greatest common divisor</source>
        <translation>Den größten gemeinsamen Teiler finden</translation>
    </message>
    <message>
        <source>Add and subtract whole numbers</source>
        <translation>Ganze Zahlen addieren und subtrahieren</translation>
    </message>
    <message>
        <source>Add and subtract decimals</source>
        <translation>Dezimalzahlen addieren und subtrahieren</translation>
    </message>
    <message>
        <source>Count the ones of a number in binary</source>
        <translation>Die Einsen einer Binärzahl zählen</translation>
    </message>
    <message>
        <source>Multiply</source>
        <translation>Multiplizieren</translation>
    </message>
    <message>
        <source>Say how much time passed</source>
        <translation>Sagen, wie viel Zeit vergangen ist</translation>
    </message>
    <message>
        <source>Name the weekday some days away</source>
        <translation>Den Wochentag in einigen Tagen nennen</translation>
    </message>
    <message>
        <source>Count the primes in a range</source>
        <translation>Die Primzahlen in einem Bereich zählen</translation>
    </message>
    <message>
        <source>Split a number into its prime factors</source>
        <translation>Eine Zahl in ihre Primfaktoren zerlegen</translation>
    </message>
    <message>
        <source>Reverse a list of words</source>
        <translation>Eine Liste von Wörtern umdrehen</translation>
    </message>
    <message>
        <source>Count the legs of some animals</source>
        <translation>Die Beine einiger Tiere zählen</translation>
    </message>
    <message>
        <source>Turn a square of numbers</source>
        <translation>Ein Quadrat aus Zahlen drehen</translation>
    </message>
    <message>
        <source>Add and multiply complex numbers</source>
        <translation>Komplexe Zahlen addieren und multiplizieren</translation>
    </message>
    <message>
        <source>Work out an expression in hexadecimal</source>
        <translation>Einen hexadezimalen Ausdruck ausrechnen</translation>
    </message>
    <message>
        <source>Work out the odds of some dice</source>
        <translation>Die Chancen einiger Würfel ausrechnen</translation>
    </message>
    <message>
        <source>Pick the largest or smallest of numbers written in many ways</source>
        <translation>Unter verschieden geschriebenen Zahlen die größte oder kleinste wählen</translation>
    </message>
    <message>
        <source>Keep the numbers on one side of a limit</source>
        <translation>Die Zahlen auf einer Seite einer Grenze behalten</translation>
    </message>
    <message>
        <source>Sort numbers</source>
        <translation>Zahlen sortieren</translation>
    </message>
    <message>
        <source>Raise a number to a power</source>
        <translation>Eine Zahl potenzieren</translation>
    </message>
    <message>
        <source>Integrate a polynomial</source>
        <translation>Ein Polynom integrieren</translation>
    </message>
    <message>
        <source>Find the last angle of a polygon</source>
        <translation>Den letzten Winkel eines Vielecks finden</translation>
    </message>
    <message>
        <source>Find the radius of a triangle&apos;s incircle</source>
        <translation>Den Inkreisradius eines Dreiecks finden</translation>
    </message>
    <message>
        <source>Count a letter in a text</source>
        <translation>Einen Buchstaben in einem Text zählen</translation>
    </message>
    <message>
        <source>Decipher a text whose letters were shifted</source>
        <translation>Einen Text mit verschobenen Buchstaben entziffern</translation>
    </message>
    <message>
        <source>Unscramble the words of a text</source>
        <translation>Die verwürfelten Wörter eines Textes ordnen</translation>
    </message>
    <message>
        <source>Sort words</source>
        <translation>Wörter sortieren</translation>
    </message>
    <message>
        <source>Group words made of the same letters</source>
        <translation>Wörter aus denselben Buchstaben zusammenstellen</translation>
    </message>
    <message>
        <source>Build a palindrome from letters</source>
        <translation>Aus Buchstaben ein Palindrom bilden</translation>
    </message>
    <message>
        <source>Split a text into palindromes in every way</source>
        <translation>Einen Text auf alle Arten in Palindrome teilen</translation>
    </message>
    <message>
        <source>Find who it is said of</source>
        <translation>Finden, von wem das gesagt wird</translation>
    </message>
    <message>
        <source>Change a grid of numbers step by step</source>
        <translation>Ein Zahlengitter Schritt für Schritt verändern</translation>
    </message>
    <message>
        <source>Read a grid of numbers in a spiral</source>
        <translation>Ein Zahlengitter spiralförmig lesen</translation>
    </message>
    <message>
        <source>Measure the largest island</source>
        <translation>Die größte Insel ausmessen</translation>
    </message>
    <message>
        <source>Say when the last orange rots</source>
        <translation>Sagen, wann die letzte Orange verfault</translation>
    </message>
    <message>
        <source>Count the steps through a maze</source>
        <translation>Die Schritte durch ein Labyrinth zählen</translation>
    </message>
    <message>
        <source>Find the only shortest path</source>
        <translation>Den einzigen kürzesten Weg finden</translation>
    </message>
    <message>
        <source>Count the rectangles in a drawing</source>
        <translation>Die Rechtecke in einer Zeichnung zählen</translation>
    </message>
    <message>
        <source>Solve a small sudoku</source>
        <translation>Ein kleines Sudoku lösen</translation>
    </message>
    <message>
        <source>Fill a square so that its signs hold</source>
        <translation>Ein Quadrat so füllen, dass seine Zeichen stimmen</translation>
    </message>
    <message>
        <source>Place ones so that rows and columns add up</source>
        <translation>Einsen so setzen, dass Zeilen und Spalten stimmen</translation>
    </message>
    <message>
        <source>Fill numbers into a table so that it adds up</source>
        <translation>Zahlen so in eine Tabelle setzen, dass die Summen stimmen</translation>
    </message>
    <message>
        <source>Place the missing queens</source>
        <translation>Die fehlenden Damen aufstellen</translation>
    </message>
    <message>
        <source>Rewrite tokens until no rule applies</source>
        <translation>Zeichen umschreiben, bis keine Regel mehr greift</translation>
    </message>
    <message>
        <source>Count the swaps that make bits alternate</source>
        <translation>Zählen, wie oft zu tauschen ist, bis sich Bits abwechseln</translation>
    </message>
    <message>
        <source>Follow the colours of a turned cube</source>
        <translation>Die Farben eines gedrehten Würfels verfolgen</translation>
    </message>
    <message>
        <source>Follow the edges of a graph</source>
        <translation>Den Kanten eines Graphen folgen</translation>
    </message>
    <message>
        <source>Count the sisters of a brother</source>
        <translation>Die Schwestern eines Bruders zählen</translation>
    </message>
    <message>
        <source>Say how two people are related</source>
        <translation>Sagen, wie zwei Menschen verwandt sind</translation>
    </message>
    <message>
        <source>Tell knights from knaves</source>
        <translation>Ritter von Schurken unterscheiden</translation>
    </message>
    <message>
        <source>The meadow</source>
        <translation>Die Wiese</translation>
    </message>
    <message>
        <source>The swarm for everybody: all puzzles, all model sizes.</source>
        <translation>Der Schwarm für alle: alle Rätsel, alle Modellgrößen.</translation>
    </message>
</context>
<context>
    <name>Child</name>
    <message>
        <source>it could not be started</source>
        <translation>es ließ sich nicht starten</translation>
    </message>
</context>
<context>
    <name>Contribution</name>
    <message>
        <source>{} min</source>
        <comment>minutes</comment>
        <translation>{} min</translation>
    </message>
    <message>
        <source>{} h</source>
        <comment>hours</comment>
        <translation>{} h</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>{day}: no practice</source>
        <translation>{day}: nicht geübt</translation>
    </message>
    <message>
        <source>{solved} of {tried} tries solved</source>
        <translation>{solved} von {tried} Versuchen gelöst</translation>
    </message>
    <message>
        <source>1 round</source>
        <translation>1 Runde</translation>
    </message>
    <message>
        <source>{} rounds</source>
        <translation>{} Runden</translation>
    </message>
    <message>
        <source>Looking up what was practised here…</source>
        <translation>Es wird nachgesehen, was hier geübt wurde…</translation>
    </message>
    <message>
        <source>Your contribution</source>
        <translation>Dein Beitrag</translation>
    </message>
    <message>
        <source>You practised {} on one day.</source>
        <translation>Du hast an einem Tag {} geübt.</translation>
    </message>
    <message>
        <source>You practised {time} on {days} days.</source>
        <translation>Du hast an {days} Tagen {time} geübt.</translation>
    </message>
    <message>
        <source>Your model&apos;s tries helped 1 other.</source>
        <translation>Die Versuche deines Modells haben 1 anderen geholfen.</translation>
    </message>
    <message>
        <source>Your model&apos;s tries helped {} others.</source>
        <translation>Die Versuche deines Modells haben {} anderen geholfen.</translation>
    </message>
    <message>
        <source>Nothing practised yet.</source>
        <translation>Noch nichts geübt.</translation>
    </message>
    <message>
        <source>From the first round on, what your computer contributes is counted here: rounds, hours, puzzles, and whom it helped.</source>
        <translation>Von der ersten Runde an wird hier gezählt, was dein Computer beiträgt: Runden, Stunden, Rätsel, und wem es geholfen hat.</translation>
    </message>
    <message>
        <source>Counted since {}, all models together. Nothing here earns money.</source>
        <translation>Gezählt seit {}, alle Modelle zusammen. Hier verdient niemand Geld.</translation>
    </message>
    <message>
        <source>Training small language models together. {}</source>
        <translation>Gemeinsam kleine Sprachmodelle trainieren. {}</translation>
    </message>
    <message>
        <source>{} of practice on one day</source>
        <translation>{} geübt, an einem Tag</translation>
    </message>
    <message>
        <source>{time} of practice on {days} days</source>
        <translation>{time} geübt, an {days} Tagen</translation>
    </message>
    <message>
        <source>Helped 1 other to learn.</source>
        <translation>1 anderen beim Lernen geholfen.</translation>
    </message>
    <message>
        <source>Helped {} others to learn.</source>
        <translation>{} anderen beim Lernen geholfen.</translation>
    </message>
    <message>
        <source>{have} of {goal}</source>
        <translation>{have} von {goal}</translation>
    </message>
    <message>
        <source>The first round</source>
        <translation>Die erste Runde</translation>
    </message>
    <message>
        <source>{} hours of practice</source>
        <translation>{} Stunden geübt</translation>
    </message>
    <message>
        <source>{} days in a row</source>
        <translation>{} Tage in Folge</translation>
    </message>
    <message>
        <source>The first other helped</source>
        <translation>Dem Ersten geholfen</translation>
    </message>
    <message>
        <source>{} others helped</source>
        <translation>{} anderen geholfen</translation>
    </message>
    <message>
        <source>Practised</source>
        <translation>Geübt</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>Runden</translation>
    </message>
    <message>
        <source>Tokens written</source>
        <translation>Geschriebene Token</translation>
    </message>
    <message>
        <source>pieces of text</source>
        <translation>Stückchen Text</translation>
    </message>
    <message>
        <source>Days in a row</source>
        <translation>Tage in Folge</translation>
    </message>
    <message>
        <source>longest: {}</source>
        <translation>längste Folge: {}</translation>
    </message>
    <message>
        <source>none today</source>
        <translation>heute keine</translation>
    </message>
    <message>
        <source>{} today</source>
        <translation>{} heute</translation>
    </message>
    <message>
        <source>Puzzle tries</source>
        <translation>Versuche an Rätseln</translation>
    </message>
    <message>
        <source>Right answers</source>
        <translation>Richtige Antworten</translation>
    </message>
    <message>
        <source>{} of the tries</source>
        <translation>{} der Versuche</translation>
    </message>
    <message>
        <source>without 1 early round</source>
        <translation>ohne 1 frühe Runde</translation>
    </message>
    <message>
        <source>without {} early rounds</source>
        <translation>ohne {} frühe Runden</translation>
    </message>
    <message>
        <source>Puzzles shared</source>
        <translation>Geteilte Rätsel</translation>
    </message>
    <message>
        <source>nobody else was there yet</source>
        <translation>es war noch niemand sonst da</translation>
    </message>
    <message>
        <source>with all tries at them</source>
        <translation>mit allen Versuchen</translation>
    </message>
    <message>
        <source>Others helped</source>
        <translation>Anderen geholfen</translation>
    </message>
    <message>
        <source>in no swarm so far</source>
        <translation>bisher in keinem Schwarm</translation>
    </message>
    <message>
        <source>nobody said so yet</source>
        <translation>das hat noch niemand gesagt</translation>
    </message>
    <message>
        <source>1 thank-you</source>
        <translation>1 Dankeschön</translation>
    </message>
    <message>
        <source>{} thank-yous</source>
        <translation>{} Dankeschöns</translation>
    </message>
    <message>
        <source>counted from now on</source>
        <translation>wird ab jetzt gezählt</translation>
    </message>
    <message>
        <source>Not known yet</source>
        <translation>Noch nicht bekannt</translation>
    </message>
    <message>
        <source>1 minute</source>
        <translation>1 Minute</translation>
    </message>
    <message>
        <source>{} minutes</source>
        <translation>{} Minuten</translation>
    </message>
    <message>
        <source>1 hour</source>
        <translation>1 Stunde</translation>
    </message>
    <message>
        <source>{} hours</source>
        <translation>{} Stunden</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>a date, in the letters of QLocale</comment>
        <translation>d. MMM</translation>
    </message>
    <message>
        <source>dddd, d MMM</source>
        <comment>a date, in the letters of QLocale</comment>
        <translation>dddd, d. MMM</translation>
    </message>
    <message>
        <source>less than a second</source>
        <translation>weniger als eine Sekunde</translation>
    </message>
    <message>
        <source>1 second</source>
        <translation>1 Sekunde</translation>
    </message>
    <message>
        <source>{} seconds</source>
        <translation>{} Sekunden</translation>
    </message>
    <message>
        <source>{energy} today so far: what a {watts}-watt lamp takes in {time}.</source>
        <translation>{energy} heute bis jetzt: so viel, wie eine {watts}-Watt-Lampe in {time} braucht.</translation>
    </message>
    <message>
        <source>{energy} on a day with practice: what a {watts}-watt lamp takes in {time}.</source>
        <translation>{energy} an einem Tag mit Übung: so viel, wie eine {watts}-Watt-Lampe in {time} braucht.</translation>
    </message>
    <message>
        <source>less than {} kWh</source>
        <translation>weniger als {} kWh</translation>
    </message>
    <message>
        <source>{} kWh</source>
        <translation>{} kWh</translation>
    </message>
    <message>
        <source>Counted by the processor itself; Waggle&apos;s share of it.</source>
        <translation>Vom Prozessor selbst gezählt; Waggles Anteil daran.</translation>
    </message>
    <message>
        <source>An estimate: {time} of one processor core a day, at {watts} watts, by the table of green-algorithms.org. Screen and memory are not in it.</source>
        <translation>Eine Schätzung: {time} eines Prozessorkerns am Tag, zu {watts} Watt nach der Tabelle von green-algorithms.org. Bildschirm und Speicher sind nicht dabei.</translation>
    </message>
    <message>
        <source>Rounds of earlier releases and on graphics cards are not in it: {}.</source>
        <translation>Runden früherer Versionen und auf Grafikkarten sind nicht dabei: {}.</translation>
    </message>
    <message>
        <source>Right now the whole computer draws {watts} watts.</source>
        <translation>Gerade braucht der ganze Computer {watts} Watt.</translation>
    </message>
    <message>
        <source>The battery lasts {time} more at the present pace.</source>
        <translation>Der Akku hält bei diesem Verbrauch noch {time}.</translation>
    </message>
    <message>
        <source>Right now the whole computer draws {watts} watts: the battery lasts {time} more.</source>
        <translation>Gerade braucht der ganze Computer {watts} Watt: Der Akku hält noch {time}.</translation>
    </message>
</context>
<context>
    <name>ContributionPage</name>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Open Home</source>
        <translation>Startseite öffnen</translation>
    </message>
    <message>
        <source>Join the swarm on the page Home: the first round counts.</source>
        <translation>Tritt auf der Startseite dem Schwarm bei: Die erste Runde zählt.</translation>
    </message>
</context>
<context>
    <name>Core</name>
    <message>
        <source>Waking the model up</source>
        <translation>Das Modell wird geweckt</translation>
    </message>
    <message>
        <source>Something unexpected went wrong. The log folder says more; please report it, and try again.</source>
        <translation>Etwas Unerwartetes ging schief. Im Protokollordner steht mehr; bitte melde es, und versuch es noch einmal.</translation>
    </message>
    <message>
        <source>An exam needs at least {} puzzles; ask for more.</source>
        <translation>Eine Prüfung braucht mindestens {} Rätsel; verlange mehr.</translation>
    </message>
    <message>
        <source>The model {} has already practised here with {} {}, not {}. Leave out --{} to go on with it, or choose another folder with --home.</source>
        <translation>Das Modell {} hat hier schon mit {} {} geübt, nicht mit {}. Lass --{} weg, um damit weiterzumachen, oder wähle mit --home einen anderen Ordner.</translation>
    </message>
    <message>
        <source>choosing puzzles</source>
        <translation>wählt Rätsel aus</translation>
    </message>
    <message>
        <source>trying puzzles</source>
        <translation>probiert Rätsel</translation>
    </message>
    <message>
        <source>checking answers</source>
        <translation>prüft Antworten</translation>
    </message>
    <message>
        <source>sharing with the swarm</source>
        <translation>tauscht sich mit dem Schwarm aus</translation>
    </message>
    <message>
        <source>learning</source>
        <translation>lernt</translation>
    </message>
    <message>
        <source>saving</source>
        <translation>speichert</translation>
    </message>
    <message>
        <source>resting, so as not to take all of the computer</source>
        <translation>ruht, um nicht den ganzen Computer zu belegen</translation>
    </message>
    <message>
        <source>Paused because you asked.</source>
        <translation>Pausiert, weil du es wolltest.</translation>
    </message>
    <message>
        <source>Paused for a while, as you asked.</source>
        <translation>Pausiert für eine Weile, wie du es wolltest.</translation>
    </message>
    <message>
        <source>Paused outside the hours that you chose.</source>
        <translation>Pausiert außerhalb der Stunden, die du gewählt hast.</translation>
    </message>
    <message>
        <source>Paused while the computer runs on battery.</source>
        <translation>Pausiert, solange der Computer mit Akku läuft.</translation>
    </message>
    <message>
        <source>Paused while a program runs.</source>
        <translation>Pausiert, solange ein Programm läuft.</translation>
    </message>
    <message>
        <source>Paused while something fills the screen.</source>
        <translation>Pausiert, solange etwas den Bildschirm füllt.</translation>
    </message>
    <message>
        <source>Paused while you use the computer.</source>
        <translation>Pausiert, solange du den Computer benutzt.</translation>
    </message>
    <message>
        <source>Paused until the computer has cooled down.</source>
        <translation>Pausiert, bis der Computer abgekühlt ist.</translation>
    </message>
    <message>
        <source>Paused because little memory is free.</source>
        <translation>Pausiert, weil wenig Arbeitsspeicher frei ist.</translation>
    </message>
    <message>
        <source>Paused because the disk is nearly full. Free some space.</source>
        <translation>Pausiert, weil der Datenträger fast voll ist. Schaff etwas Platz.</translation>
    </message>
    <message>
        <source>Paused while the computer is busy with something else.</source>
        <translation>Pausiert, solange der Computer mit anderem beschäftigt ist.</translation>
    </message>
    <message>
        <source>Monday</source>
        <translation>Montag</translation>
    </message>
    <message>
        <source>Tuesday</source>
        <translation>Dienstag</translation>
    </message>
    <message>
        <source>Wednesday</source>
        <translation>Mittwoch</translation>
    </message>
    <message>
        <source>Thursday</source>
        <translation>Donnerstag</translation>
    </message>
    <message>
        <source>Friday</source>
        <translation>Freitag</translation>
    </message>
    <message>
        <source>Saturday</source>
        <translation>Samstag</translation>
    </message>
    <message>
        <source>Sunday</source>
        <translation>Sonntag</translation>
    </message>
    <message>
        <source>Round {0}: {1}.</source>
        <translation>Runde {0}: {1}.</translation>
    </message>
    <message>
        <source>Getting to know your model: {} %.</source>
        <translation>Dein Modell wird kennengelernt: {} %.</translation>
    </message>
    <message>
        <source>First it is seen how far your model gets in each kind of puzzle, from the easiest level up. Then there is a number.</source>
        <translation>Zuerst zeigt sich, wie weit dein Modell bei jeder Art von Rätsel kommt, von der leichtesten Stufe an. Dann gibt es eine Zahl.</translation>
    </message>
    <message>
        <source>Paused while {} runs.</source>
        <translation>Pausiert, solange {} läuft.</translation>
    </message>
    <message>
        <source>Goes on on {0} at {1}.</source>
        <translation>Geht am {0} um {1} weiter.</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>beginnt</translation>
    </message>
    <message>
        <source>Round {0}: {1}; this is the last round.</source>
        <translation>Runde {0}: {1}; das ist die letzte Runde.</translation>
    </message>
    <message>
        <source>Round {0}: {1}; pausing after it.</source>
        <translation>Runde {0}: {1}; danach ist Pause.</translation>
    </message>
    <message>
        <source>Your model has not practised yet.</source>
        <translation>Dein Modell hat noch nicht geübt.</translation>
    </message>
    <message>
        <source>Ready when you are.</source>
        <translation>Bereit, wenn du es bist.</translation>
    </message>
    <message>
        <source>{}…</source>
        <translation>{}…</translation>
    </message>
    <message>
        <source>Stopped. Everything that was learnt is saved.</source>
        <translation>Beendet. Alles Gelernte ist gespeichert.</translation>
    </message>
    <message>
        <source>Goes on at {}.</source>
        <translation>Geht um {} weiter.</translation>
    </message>
    <message>
        <source>Swarm: {} %.</source>
        <translation>Schwarm: {} %.</translation>
    </message>
    <message>
        <source>Getting ready</source>
        <translation>Wird vorbereitet</translation>
    </message>
    <message>
        <source>This system does not let Waggle change what starts with it ({}). Look into its own settings for programs that start by themselves.</source>
        <translation>Dieses System lässt Waggle nicht ändern, was mit ihm startet ({}). Sieh in seinen eigenen Einstellungen für Programme nach, die von selbst starten.</translation>
    </message>
    <message>
        <source>This model has not practised here yet, so there is nothing to put aside.</source>
        <translation>Dieses Modell hat hier noch nicht geübt, es gibt also nichts beiseitezulegen.</translation>
    </message>
    <message>
        <source>There is no such backup any more. Look at the list again.</source>
        <translation>Diese Sicherung gibt es nicht mehr. Sieh noch einmal in die Liste.</translation>
    </message>
    <message>
        <source>{} was not started over</source>
        <translation>{} fing nicht von vorn an</translation>
    </message>
    <message>
        <source>nothing was brought back</source>
        <translation>nichts wurde zurückgeholt</translation>
    </message>
    <message>
        <source>This computer is {} from the next start of practice on.</source>
        <translation>Dieser Computer ist ab dem nächsten Start des Übens {}.</translation>
    </message>
    <message>
        <source>Everything that Waggle kept on this computer is removed.</source>
        <translation>Alles, was Waggle auf diesem Computer hatte, ist entfernt.</translation>
    </message>
    <message>
        <source>Who was here before is kept in {}.</source>
        <translation>Wer vorher hier war, liegt in {}.</translation>
    </message>
    <message>
        <source>In {} is left what Waggle did not make.</source>
        <translation>In {} bleibt, was nicht von Waggle stammt.</translation>
    </message>
    <message>
        <source>{} cannot be written ({}). Choose another place.</source>
        <translation>{} kann nicht geschrieben werden ({}). Wähle einen anderen Ort.</translation>
    </message>
    <message>
        <source>This computer has no identity yet. Join a swarm once, then there is one to back up.</source>
        <translation>Dieser Computer hat noch keine Identität. Mach einmal bei einem Schwarm mit, dann gibt es eine zu sichern.</translation>
    </message>
    <message>
        <source>{} is backed up in {}. Keep that file to yourself.</source>
        <translation>{} ist gesichert in {}. Behalte diese Datei für dich.</translation>
    </message>
    <message>
        <source>{} is no backup of an identity. Choose another file.</source>
        <translation>{} ist keine Sicherung einer Identität. Wähle eine andere Datei.</translation>
    </message>
    <message>
        <source>{} cannot be read ({}). Choose another file.</source>
        <translation>{} kann nicht gelesen werden ({}). Wähle eine andere Datei.</translation>
    </message>
    <message>
        <source>The identity of this node, {}, is damaged. Restore a backup of it.</source>
        <translation>Die Identität dieses Knotens, {}, ist beschädigt. Stell eine Sicherung davon wieder her.</translation>
    </message>
    <message>
        <source>{} {} on {}, {} cores, Python {}</source>
        <translation>{} {} auf {}, {} Kerne, Python {}</translation>
    </message>
    <message>
        <source>{0} of {1} are free</source>
        <translation>{0} von {1} sind frei</translation>
    </message>
    <message>
        <source>PyTorch, and llama.cpp is not installed; fastest here: {}</source>
        <translation>PyTorch, und llama.cpp ist nicht installiert; am schnellsten hier: {}</translation>
    </message>
    <message>
        <source>{0} are free for {1}</source>
        <translation>{0} sind frei für {1}</translation>
    </message>
    <message>
        <source>defaults; to change them, write {}</source>
        <translation>Voreinstellungen; um sie zu ändern, schreib {}</translation>
    </message>
    <message>
        <source>found out at first use</source>
        <translation>zeigt sich beim ersten Gebrauch</translation>
    </message>
    <message>
        <source>as in {}</source>
        <translation>wie in {}</translation>
    </message>
    <message>
        <source>PyTorch, and llama.cpp too; fastest here: {}</source>
        <translation>PyTorch, und auch llama.cpp; am schnellsten hier: {}</translation>
    </message>
    <message>
        <source>{}, {}, cannot be used ({}). Move it away to start a new one, or choose another folder.</source>
        <translation>{}, {}, kann nicht benutzt werden ({}). Leg sie beiseite, um eine neue zu beginnen, oder wähle einen anderen Ordner.</translation>
    </message>
    <message>
        <source>The record of rounds {} was written by a newer Waggle. Update this one, or choose another folder.</source>
        <translation>Die Aufzeichnung der Runden {} stammt von einem neueren Waggle. Aktualisiere dieses, oder wähle einen anderen Ordner.</translation>
    </message>
    <message>
        <source>rotations of the type {}</source>
        <translation>Drehungen der Art {}</translation>
    </message>
    <message>
        <source>a tensor like {}</source>
        <translation>einen Tensor wie {}</translation>
    </message>
    <message>
        <source>weights as safetensors</source>
        <translation>eine Fassung der Gewichte als safetensors</translation>
    </message>
    <message>
        <source>an orderly list of files</source>
        <translation>eine ordentliche Liste von Dateien</translation>
    </message>
    <message>
        <source>{} has {}, too much for Waggle. Choose a smaller model.</source>
        <translation>{} hat {}, zu viel für Waggle. Wähle ein kleineres Modell.</translation>
    </message>
    <message>
        <source>Nothing can listen on {} ({}). Choose another port or address.</source>
        <translation>Auf {} kann nichts geöffnet werden ({}). Wähle einen anderen Port oder eine andere Adresse.</translation>
    </message>
    <message>
        <source>Waggle cannot use the folder {} ({}). Make it writable, or choose another one.</source>
        <translation>Waggle kann den Ordner {} nicht benutzen ({}). Mach ihn beschreibbar, oder wähle einen anderen.</translation>
    </message>
    <message>
        <source>{} of memory are free</source>
        <translation>{} Arbeitsspeicher sind frei</translation>
    </message>
    <message>
        <source>{} are free on the disk</source>
        <translation>{} sind auf dem Datenträger frei</translation>
    </message>
    <message>
        <source>The meeting point at {} takes nothing of what you share; ask its host, or use another one.</source>
        <translation>Der Treffpunkt {} nimmt nichts von dem an, was du teilst; frag den Betreiber oder nutze einen anderen.</translation>
    </message>
    <message>
        <source>answers of others are judged in a process of its own: {}.</source>
        <translation>Antworten anderer werden in einem eigenen Prozess geprüft: {}.</translation>
    </message>
    <message>
        <source>only {0} are free for {1}; free some space</source>
        <translation>nur {0} sind frei für {1}; schaff etwas Platz</translation>
    </message>
    <message>
        <source>Not to be had here: {}.</source>
        <translation>Hier nicht zu haben: {}.</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>try again</source>
        <translation>versuch es noch einmal</translation>
    </message>
    <message>
        <source>This cannot be done while Waggle practises. Stop practice on Home, then try again.</source>
        <translation>Das geht nicht, solange Waggle übt. Halte das Üben auf der Startseite an und versuch es dann noch einmal.</translation>
    </message>
    <message>
        <source>Another Waggle is already running on {}. Use that one, or give this one a folder of its own.</source>
        <translation>Ein anderes Waggle läuft schon auf {}. Nimm dieses, oder gib diesem hier einen eigenen Ordner.</translation>
    </message>
    <message>
        <source>Then it pauses, as you asked.</source>
        <translation>Danach pausiert es, wie du es wolltest.</translation>
    </message>
    <message>
        <source>Then it pauses for a while, as you asked.</source>
        <translation>Danach pausiert es eine Weile, wie du es wolltest.</translation>
    </message>
    <message>
        <source>Then it pauses, because the hours that you chose are over.</source>
        <translation>Danach pausiert es, weil die Stunden vorbei sind, die du gewählt hast.</translation>
    </message>
    <message>
        <source>Then it pauses, because the computer runs on battery.</source>
        <translation>Danach pausiert es, weil der Computer mit Akku läuft.</translation>
    </message>
    <message>
        <source>Then it pauses, because a program runs.</source>
        <translation>Danach pausiert es, weil ein Programm läuft.</translation>
    </message>
    <message>
        <source>Then it pauses, because something fills the screen.</source>
        <translation>Danach pausiert es, weil etwas den Bildschirm füllt.</translation>
    </message>
    <message>
        <source>Then it pauses, because you use the computer.</source>
        <translation>Danach pausiert es, weil du den Computer benutzt.</translation>
    </message>
    <message>
        <source>Then it pauses, because the computer is hot.</source>
        <translation>Danach pausiert es, weil der Computer heiß ist.</translation>
    </message>
    <message>
        <source>Then it pauses, because little memory is free.</source>
        <translation>Danach pausiert es, weil wenig Arbeitsspeicher frei ist.</translation>
    </message>
    <message>
        <source>Then it pauses, because the disk is nearly full.</source>
        <translation>Danach pausiert es, weil der Datenträger fast voll ist.</translation>
    </message>
    <message>
        <source>Then it pauses, because the computer is busy with something else.</source>
        <translation>Danach pausiert es, weil der Computer mit anderem beschäftigt ist.</translation>
    </message>
    <message>
        <source>resting until {}, so as not to take all of the computer</source>
        <translation>ruht bis {}, um nicht den ganzen Computer zu belegen</translation>
    </message>
    <message>
        <source>Then it pauses, because {} runs.</source>
        <translation>Danach pausiert es, weil {} läuft.</translation>
    </message>
    <message>
        <source>{} are here; {} more can be downloaded</source>
        <translation>{} sind hier; {} weitere lassen sich laden</translation>
    </message>
    <message>
        <source>For a moment this takes about {} of memory, and {} are free. Close other programs, or stop practising, and try again.</source>
        <translation>Für einen Augenblick braucht das etwa {} Arbeitsspeicher, und {} sind frei. Schließ andere Programme oder halte das Üben an, und versuch es noch einmal.</translation>
    </message>
    <message>
        <source>The meeting point on this computer ended unexpectedly. Open it again; if that goes on, the log folder says more.</source>
        <translation>Der Treffpunkt auf diesem Computer endete unerwartet. Öffne ihn wieder; wenn das so weitergeht, steht im Protokollordner mehr.</translation>
    </message>
    <message>
        <source>The meeting point cannot be started ({}). Close other programs, or restart the computer.</source>
        <translation>Der Treffpunkt kann nicht gestartet werden ({}). Schließ andere Programme oder starte den Computer neu.</translation>
    </message>
    <message>
        <source>{} is no id of a meeting point. It shows one when it opens.</source>
        <translation>{} ist keine Kennung eines Treffpunkts. Er zeigt eine, wenn er öffnet.</translation>
    </message>
    <message>
        <source>{} is no picture that can be made. Name it .png or .svg.</source>
        <translation>{} ist kein Bild, das sich machen lässt. Gib ihm die Endung .png oder .svg.</translation>
    </message>
    <message>
        <source>This invite names a meeting point that has no proper address ({}). Ask for a new invite.</source>
        <translation>Diese Einladung nennt einen Treffpunkt ohne richtige Adresse ({}). Bitte um eine neue Einladung.</translation>
    </message>
    <message>
        <source>{} was not downloaded again</source>
        <translation>{} wurde nicht noch einmal geladen</translation>
    </message>
    <message>
        <source>Damaged: {}. Download the model again.</source>
        <translation>Beschädigt: {}. Lade das Modell noch einmal.</translation>
    </message>
    <message>
        <source>{} comes with Waggle and stays. Nothing was removed.</source>
        <translation>{} gehört zu Waggle und bleibt. Nichts wurde entfernt.</translation>
    </message>
    <message>
        <source>{} was not removed</source>
        <translation>{} wurde nicht entfernt</translation>
    </message>
    <message>
        <source>Nothing of {} was on this computer; nothing was removed.</source>
        <translation>Von {} war nichts auf diesem Computer; nichts wurde entfernt.</translation>
    </message>
    <message>
        <source>{} was not downloaded, so there is nothing to check.</source>
        <translation>{} wurde nicht geladen, es gibt also nichts zu prüfen.</translation>
    </message>
    <message>
        <source>A Waggle is running on {}, so {}. Stop it, then try again.</source>
        <translation>Ein Waggle läuft auf {}, darum gilt: {}. Halte es an und versuch es dann noch einmal.</translation>
    </message>
    <message>
        <source>others nearby can be looked for on {}</source>
        <translation>nach anderen in der Nähe kann gesucht werden über {}</translation>
    </message>
    <message>
        <source>a port can be opened for others on this network</source>
        <translation>ein Port lässt sich für andere in diesem Netz öffnen</translation>
    </message>
    <message>
        <source>{} answers, with a clock {} s apart</source>
        <translation>{} antwortet, mit einer um {} s anderen Uhrzeit</translation>
    </message>
    <message>
        <source>{} answers, but its clock is {} minutes behind this computer&apos;s. Set the clock.</source>
        <translation>{} antwortet, aber die Uhr dort geht {} Minuten gegenüber der dieses Computers nach. Stell die Uhr.</translation>
    </message>
    <message>
        <source>none is named; others are met on this network and by invites</source>
        <translation>keiner ist genannt; andere trifft man in diesem Netz und durch Einladungen</translation>
    </message>
    <message>
        <source>{} answers, with the same time</source>
        <translation>{} antwortet, mit derselben Uhrzeit</translation>
    </message>
    <message>
        <source>{} answers, but its clock is {} minutes before this computer&apos;s. Set the clock.</source>
        <translation>{} antwortet, aber die Uhr dort geht {} Minuten gegenüber der dieses Computers vor. Stell die Uhr.</translation>
    </message>
    <message>
        <source>Somebody else answers at this computer&apos;s ports. Ask who looks after it.</source>
        <translation>An den Ports dieses Computers antwortet jemand anderes. Frag, wer sich um ihn kümmert.</translation>
    </message>
    <message>
        <source>{} does not answer ({}). Check its address and this computer&apos;s connection.</source>
        <translation>{} antwortet nicht ({}). Prüf die Adresse und die Verbindung dieses Computers.</translation>
    </message>
    <message>
        <source>{} is a meeting point of another release. Update Waggle; if it is up to date, the meeting point has to be.</source>
        <translation>{} ist ein Treffpunkt einer anderen Version. Aktualisiere Waggle; ist es schon aktuell, muss der Treffpunkt aktualisiert werden.</translation>
    </message>
    <message>
        <source>Somebody else answers at {}. Ask for a new invite.</source>
        <translation>Bei {} antwortet jemand anderes. Bitte um eine neue Einladung.</translation>
    </message>
    <message>
        <source>installed</source>
        <translation>installiert</translation>
    </message>
    <message>
        <source>Nobody can ask this computer directly ({}). Let Waggle open ports in the firewall, or meet others at hubs.</source>
        <translation>Niemand kann diesen Computer direkt fragen ({}). Lass Waggle in der Firewall Ports öffnen, oder triff andere an Treffpunkten.</translation>
    </message>
    <message>
        <source>{} needs about {} of memory to answer, and {} are free. Close other programs, or stop practising for as long as it takes.</source>
        <translation>{} braucht zum Antworten etwa {} Arbeitsspeicher, und {} sind frei. Schließ andere Programme, oder halte das Üben so lange an.</translation>
    </message>
    <message>
        <source>{} holds these findings, the versions of what is installed and the last {} lines of the log. Addresses, ids, invites and names were taken out. Look into it before you hand it on.</source>
        <translation>{} enthält diese Befunde, die Versionen von allem Installierten und die letzten {} Zeilen des Protokolls. Adressen, Kennungen, Einladungen und Namen wurden herausgenommen. Sieh hinein, bevor du sie weitergibst.</translation>
    </message>
    <message>
        <source>That is too long for {}. Ask it something shorter.</source>
        <translation>Das ist zu lang für {}. Frag etwas Kürzeres.</translation>
    </message>
    <message>
        <source>The answers could not be checked. Try another puzzle.</source>
        <translation>Die Antworten konnten nicht geprüft werden. Versuch es mit einem anderen Rätsel.</translation>
    </message>
    <message>
        <source>There is nothing to answer yet. Write a question first.</source>
        <translation>Es gibt noch nichts zu beantworten. Schreib zuerst eine Frage.</translation>
    </message>
    <message>
        <source>{} is no address. Write it like 0.0.0.0:8765 or [::]:8765.</source>
        <translation>{} ist keine Adresse. Schreib sie wie 0.0.0.0:8765 oder [::]:8765.</translation>
    </message>
    <message>
        <source>{} is no store. Write it like sqlite:hub.sqlite or redis://127.0.0.1:6379.</source>
        <translation>{} ist kein Speicher. Schreib ihn wie sqlite:hub.sqlite oder redis://127.0.0.1:6379.</translation>
    </message>
    <message>
        <source>The record of rounds</source>
        <translation>Die Aufzeichnung der Runden</translation>
    </message>
    <message>
        <source>{}.{} GB</source>
        <translation>{},{} GB</translation>
    </message>
    <message>
        <source>Choose one of: {}.</source>
        <translation>Wähle eines von: {}.</translation>
    </message>
    <message>
        <source>{} MB</source>
        <translation>{} MB</translation>
    </message>
    <message>
        <source>Did you mean {}?</source>
        <translation>Meintest du {}?</translation>
    </message>
    <message>
        <source>There is no model called {}. {}</source>
        <translation>Es gibt kein Modell namens {}. {}</translation>
    </message>
    <message>
        <source>The list of models {} cannot be read ({}). Install Waggle again.</source>
        <translation>Die Liste der Modelle {} kann nicht gelesen werden ({}). Installiere Waggle neu.</translation>
    </message>
    <message>
        <source>it takes more than {} seconds</source>
        <translation>es dauert länger als {} Sekunden</translation>
    </message>
    <message>
        <source>it takes more than {} MB of memory</source>
        <translation>es braucht mehr als {} MB Arbeitsspeicher</translation>
    </message>
    <message>
        <source>it says too much</source>
        <translation>es sagt zu viel</translation>
    </message>
    <message>
        <source>it crashes what reads it</source>
        <translation>was es liest, stürzt ab</translation>
    </message>
    <message>
        <source>it cannot be tried out ({})</source>
        <translation>es lässt sich nicht ausprobieren ({})</translation>
    </message>
    <message>
        <source>{} ships with Waggle. There is nothing to download.</source>
        <translation>{} gehört zu Waggle. Es gibt nichts zu laden.</translation>
    </message>
    <message>
        <source>{} exists already. Choose another place, or let it be replaced.</source>
        <translation>{} gibt es schon. Wähle einen anderen Ort, oder lass es ersetzen.</translation>
    </message>
    <message>
        <source>{} is no earlier export, so it is not replaced. Choose another place.</source>
        <translation>{} stammt nicht von einer früheren Ausgabe und wird darum nicht ersetzt. Wähle einen anderen Ort.</translation>
    </message>
    <message>
        <source>The tokenizer of the model {} in {} is missing, damaged or of an unknown kind. Install the model again, or export it in another form.</source>
        <translation>Der Tokenizer des Modells {} in {} fehlt, ist beschädigt oder von unbekannter Art. Installiere das Modell neu, oder gib es in einer anderen Form aus.</translation>
    </message>
    <message>
        <source>Your access token does not open {}. Accept the model&apos;s licence on huggingface.co/{}, then try again.</source>
        <translation>Dein Zugangsschlüssel öffnet {} nicht. Nimm die Lizenz des Modells auf huggingface.co/{} an und versuch es dann noch einmal.</translation>
    </message>
    <message>
        <source>The model hub answered with the error {} when asked for {}. Try again later.</source>
        <translation>Die Modellquelle antwortete mit dem Fehler {}, als sie nach {} gefragt wurde. Versuch es später noch einmal.</translation>
    </message>
    <message>
        <source>{} has {} files, too many for Waggle. Choose another model.</source>
        <translation>{} hat {} Dateien, zu viele für Waggle. Wähle ein anderes Modell.</translation>
    </message>
    <message>
        <source>{} needs your access token, which is not sent to {}: that line is not encrypted. Let HF_ENDPOINT begin with https.</source>
        <translation>{} braucht deinen Zugangsschlüssel, der nicht an {} geschickt wird: Diese Leitung ist nicht verschlüsselt. Lass HF_ENDPOINT mit https beginnen.</translation>
    </message>
    <message>
        <source>{} is only given to those who accepted its licence. Accept it on huggingface.co/{}, make an access token there, and give it to Waggle on the page Models, or with: waggle models token</source>
        <translation>{} bekommen nur die, die seine Lizenz angenommen haben. Nimm sie auf huggingface.co/{} an, mach dort einen Zugangsschlüssel und gib ihn Waggle auf der Seite Modelle oder mit: waggle models token</translation>
    </message>
    <message>
        <source>Hugging Face refused your access token; it may have expired. Make a new one on huggingface.co/settings/tokens and put it into HF_TOKEN where you set that variable, else give it to Waggle on the page Models, or with: waggle models token</source>
        <translation>Hugging Face lehnte deinen Zugangsschlüssel ab; vielleicht ist er abgelaufen. Mach auf huggingface.co/settings/tokens einen neuen und setze ihn in HF_TOKEN, wo du diese Variable setzt, sonst gib ihn Waggle auf der Seite Modelle oder mit: waggle models token</translation>
    </message>
    <message>
        <source>a file {}</source>
        <translation>eine Datei {}</translation>
    </message>
    <message>
        <source>{} cannot be downloaded while HF_HUB_OFFLINE forbids the network. Unset that variable and try again.</source>
        <translation>{} kann nicht geladen werden, solange HF_HUB_OFFLINE das Netz verbietet. Entferne diese Variable und versuch es noch einmal.</translation>
    </message>
    <message>
        <source>The model hub cannot be reached, or does not answer as it should. Look at your connection and try again.</source>
        <translation>Die Modellquelle ist nicht zu erreichen oder antwortet nicht, wie sie sollte. Sieh nach deiner Verbindung und versuch es noch einmal.</translation>
    </message>
    <message>
        <source>That is no access token: it has blanks or signs that none has. Copy it again from huggingface.co/settings/tokens and give it to Waggle on the page Models, or with: waggle models token</source>
        <translation>Das ist kein Zugangsschlüssel: Er enthält Leerzeichen oder Zeichen, die keiner hat. Kopiere ihn noch einmal von huggingface.co/settings/tokens und gib ihn Waggle auf der Seite Modelle oder mit: waggle models token</translation>
    </message>
    <message>
        <source>This computer has no keyring that could keep the token ({}). Put it into the environment variable HF_TOKEN instead.</source>
        <translation>Dieser Computer hat keinen Schlüsselbund, der den Zugangsschlüssel bewahren könnte ({}). Setze ihn stattdessen in die Umgebungsvariable HF_TOKEN.</translation>
    </message>
    <message>
        <source>it is of the family {}, not {}</source>
        <translation>es ist aus der Familie {}, nicht {}</translation>
    </message>
    <message>
        <source>The model {} cannot be used: {}. Choose another one.</source>
        <translation>Das Modell {} kann nicht benutzt werden: {}. Wähle ein anderes.</translation>
    </message>
    <message>
        <source>it reads no more than {} tokens at once</source>
        <translation>es liest nicht mehr als {} Token auf einmal</translation>
    </message>
    <message>
        <source>its tokenizer belongs to another model</source>
        <translation>sein Tokenizer gehört zu einem anderen Modell</translation>
    </message>
    <message>
        <source>its chat template leaves {} of {} tokens for a question and its answer, which take {}</source>
        <translation>seine Chat-Vorlage lässt {} von {} Token für eine Frage und ihre Antwort, und die brauchen {}</translation>
    </message>
    <message>
        <source>its weights in {} are missing</source>
        <translation>seine Gewichte in {} fehlen</translation>
    </message>
    <message>
        <source>its configuration is missing</source>
        <translation>seine Konfiguration fehlt</translation>
    </message>
    <message>
        <source>its tokenizer cannot read every text</source>
        <translation>sein Tokenizer kann nicht jeden Text lesen</translation>
    </message>
    <message>
        <source>its generation settings are damaged</source>
        <translation>seine Einstellungen zum Erzeugen von Text sind beschädigt</translation>
    </message>
    <message>
        <source>its tokenizer is missing or damaged</source>
        <translation>sein Tokenizer fehlt oder ist beschädigt</translation>
    </message>
    <message>
        <source>its chat template adds nothing to a question</source>
        <translation>seine Chat-Vorlage fügt einer Frage nichts hinzu</translation>
    </message>
    <message>
        <source>its chat template is missing</source>
        <translation>seine Chat-Vorlage fehlt</translation>
    </message>
    <message>
        <source>its tokenizer has no end-of-sequence token</source>
        <translation>sein Tokenizer hat kein Token, das einen Text beendet</translation>
    </message>
    <message>
        <source>its chat template is of no use: {}</source>
        <translation>seine Chat-Vorlage ist unbrauchbar: {}</translation>
    </message>
    <message>
        <source>its chat template is damaged</source>
        <translation>seine Chat-Vorlage ist beschädigt</translation>
    </message>
    <message>
        <source>download the model again; what came in is kept, and it goes on where it stopped</source>
        <translation>lade das Modell noch einmal; was ankam, bleibt, und es geht weiter, wo es aufhörte</translation>
    </message>
    <message>
        <source>Files of the model {} are missing. Download it again on the page Models, or with: waggle models get {}</source>
        <translation>Dateien des Modells {} fehlen. Lade es noch einmal auf der Seite Modelle oder mit: waggle models get {}</translation>
    </message>
    <message>
        <source> ({})</source>
        <translation> ({})</translation>
    </message>
    <message>
        <source>Another Waggle is downloading {} right now. Wait until it is done.</source>
        <translation>Ein anderes Waggle lädt gerade {}. Warte, bis es fertig ist.</translation>
    </message>
    <message>
        <source>The certificate of the model hub cannot be trusted, so nothing was downloaded. Look at this computer&apos;s clock; where a company looks into the traffic, name the file with its certificate in SSL_CERT_FILE.</source>
        <translation>Dem Zertifikat der Modellquelle ist nicht zu trauen, darum wurde nichts geladen. Sieh nach der Uhr dieses Computers; wo eine Firma in den Verkehr sieht, nenne die Datei mit ihrem Zertifikat in SSL_CERT_FILE.</translation>
    </message>
    <message>
        <source>No encrypted line to the model hub could be made. Look at HF_ENDPOINT, at the proxy settings of this computer, and at programs that look into its traffic.</source>
        <translation>Es kam keine verschlüsselte Leitung zur Modellquelle zustande. Sieh nach HF_ENDPOINT, nach den Proxy-Einstellungen dieses Computers und nach Programmen, die in seinen Verkehr sehen.</translation>
    </message>
    <message>
        <source>The model hub sends Waggle to an address that is none ({}). Look at HF_ENDPOINT and at the proxy settings of this computer.</source>
        <translation>Die Modellquelle schickt Waggle an eine Adresse, die keine ist ({}). Sieh nach HF_ENDPOINT und nach den Proxy-Einstellungen dieses Computers.</translation>
    </message>
    <message>
        <source>its weights are missing or damaged</source>
        <translation>seine Gewichte fehlen oder sind beschädigt</translation>
    </message>
    <message>
        <source>The model {} in {} cannot be used: {}. Install it again.</source>
        <translation>Das Modell {} in {} kann nicht benutzt werden: {}. Installiere es neu.</translation>
    </message>
    <message>
        <source>its configuration is not understood</source>
        <translation>seine Konfiguration wird nicht verstanden</translation>
    </message>
    <message>
        <source>some of its weights are missing, such as {}</source>
        <translation>einige seiner Gewichte fehlen, etwa {}</translation>
    </message>
    <message>
        <source>it has more than {} characters</source>
        <translation>es hat mehr als {} Zeichen</translation>
    </message>
    <message>
        <source>it is no text</source>
        <translation>es ist kein Text</translation>
    </message>
    <message>
        <source>it breaks out of its bounds</source>
        <translation>es bricht aus seinen Grenzen aus</translation>
    </message>
    <message>
        <source>it counts positions in another way than those supported: {}</source>
        <translation>es zählt Positionen anders, als unterstützt wird: {}</translation>
    </message>
    <message>
        <source>its way of counting positions is not described in full</source>
        <translation>wie es Positionen zählt, ist nicht vollständig beschrieben</translation>
    </message>
    <message>
        <source>it is of the architecture {}, and only these are supported: {}</source>
        <translation>es hat die Architektur {}, und nur diese werden unterstützt: {}</translation>
    </message>
    <message>
        <source>its weights are quantised, and only plain ones can be trained here</source>
        <translation>seine Gewichte sind quantisiert, und nur unveränderte können hier trainiert werden</translation>
    </message>
    <message>
        <source>it looks back through a sliding window, which is not supported</source>
        <translation>es blickt durch ein gleitendes Fenster zurück, und das wird nicht unterstützt</translation>
    </message>
    <message>
        <source>it has layers that are not supported</source>
        <translation>es hat Schichten, die nicht unterstützt werden</translation>
    </message>
    <message>
        <source>its attention heads do not divide evenly</source>
        <translation>seine Aufmerksamkeitsköpfe gehen nicht auf</translation>
    </message>
    <message>
        <source>its configuration names no architecture</source>
        <translation>seine Konfiguration nennt keine Architektur</translation>
    </message>
    <message>
        <source>its configuration is damaged</source>
        <translation>seine Konfiguration ist beschädigt</translation>
    </message>
    <message>
        <source>Close other programs, or choose the next smaller model: {}.</source>
        <translation>Schließ andere Programme, oder wähle das nächstkleinere Modell: {}.</translation>
    </message>
    <message>
        <source>Close other programs and try again.</source>
        <translation>Schließ andere Programme und versuch es noch einmal.</translation>
    </message>
    <message>
        <source>it says {}</source>
        <translation>es sagt {}</translation>
    </message>
    <message>
        <source>it writes what it is given {} times</source>
        <translation>es schreibt {}-mal, was es bekommt</translation>
    </message>
    <message>
        <source>it writes more than {} characters</source>
        <translation>es schreibt mehr als {} Zeichen</translation>
    </message>
    <message>
        <source>it fails</source>
        <translation>es scheitert</translation>
    </message>
    <message>
        <source>its tokenizer is of no use: {}</source>
        <translation>sein Tokenizer ist unbrauchbar: {}</translation>
    </message>
    <message>
        <source>its tokenizer breaks out of its bounds</source>
        <translation>sein Tokenizer bricht aus seinen Grenzen aus</translation>
    </message>
    <message>
        <source>The model hub answered with the error {} when asked for {} of {}. Try again later.</source>
        <translation>Die Modellquelle antwortete mit dem Fehler {}, als sie nach {} von {} gefragt wurde. Versuch es später noch einmal.</translation>
    </message>
    <message>
        <source>The file {} of {} is not the one that the hub announced, and was thrown away. Try again later.</source>
        <translation>Die Datei {} von {} ist nicht die, die angekündigt war, und wurde weggeworfen. Versuch es später noch einmal.</translation>
    </message>
    <message>
        <source>There is no room for {}: it needs {} on the disk of {}, and {} are free. Free some space and try again.</source>
        <translation>Für {} ist kein Platz: Nötig sind {} auf dem Datenträger von {}, und {} sind frei. Schaff etwas Platz und versuch es noch einmal.</translation>
    </message>
    <message>
        <source>The connection broke off while {} was being downloaded. Try again: it goes on where it stopped.</source>
        <translation>Die Verbindung brach ab, während {} geladen wurde. Versuch es noch einmal: Es geht weiter, wo es aufhörte.</translation>
    </message>
    <message>
        <source>The weights of the model {} in {} are missing or damaged. Install it again.</source>
        <translation>Die Gewichte des Modells {} in {} fehlen oder sind beschädigt. Installiere es neu.</translation>
    </message>
    <message>
        <source>the list of its weights names other files</source>
        <translation>die Liste seiner Gewichte nennt andere Dateien</translation>
    </message>
    <message>
        <source>some of its weights are missing</source>
        <translation>einige seiner Gewichte fehlen</translation>
    </message>
    <message>
        <source>its weights are there twice, such as in {}</source>
        <translation>seine Gewichte sind doppelt da, etwa in {}</translation>
    </message>
    <message>
        <source>its weights are those of another network: {}</source>
        <translation>seine Gewichte sind die eines anderen Netzes: {}</translation>
    </message>
    <message>
        <source>the list of its weights is damaged</source>
        <translation>die Liste seiner Gewichte ist beschädigt</translation>
    </message>
    <message>
        <source>its weights in {} are not those of their list</source>
        <translation>seine Gewichte in {} sind nicht die aus ihrer Liste</translation>
    </message>
    <message>
        <source>its weight {} is of another size than its configuration says</source>
        <translation>sein Gewicht {} ist anders groß, als seine Konfiguration sagt</translation>
    </message>
    <message>
        <source>its weights in {} are damaged</source>
        <translation>seine Gewichte in {} sind beschädigt</translation>
    </message>
    <message>
        <source>its weights are stored as {}, and only {} can be used</source>
        <translation>seine Gewichte sind als {} gespeichert, und nur {} lässt sich benutzen</translation>
    </message>
    <message>
        <source>{} is no address of a meeting point. Write it like https://hub.example.org or http://192.168.1.5:8765.</source>
        <translation>{} ist keine Adresse eines Treffpunkts. Schreib sie wie https://hub.example.org oder http://192.168.1.5:8765.</translation>
    </message>
    <message>
        <source>Whoever answers there is no node.</source>
        <translation>Was dort antwortet, ist kein Knoten.</translation>
    </message>
    <message>
        <source>No certificate can be made ({}). Free some space.</source>
        <translation>Es lässt sich kein Zertifikat anlegen ({}). Schaff etwas Platz.</translation>
    </message>
    <message>
        <source>Nobody answers at {}:{} ({}).</source>
        <translation>Niemand antwortet bei {}:{} ({}).</translation>
    </message>
    <message>
        <source>Whoever answers there shows no certificate of a node.</source>
        <translation>Was dort antwortet, zeigt kein Zertifikat eines Knotens.</translation>
    </message>
    <message>
        <source>To start from the beginning, choose Start over… in the model&apos;s details under Models: a backup is kept. Without the window, move its folder of checkpoints away.</source>
        <translation>Um von vorn zu beginnen, wähle „Neu beginnen…“ bei den Einzelheiten des Modells unter „Modelle“: Eine Sicherung bleibt erhalten. Ohne Fenster leg den Ordner mit seinen Zwischenständen beiseite.</translation>
    </message>
    <message>
        <source>start again; everything up to the last finished round is kept</source>
        <translation>starte noch einmal; alles bis zur letzten fertigen Runde bleibt</translation>
    </message>
    <message>
        <source>The disk that holds {} is full. Free some space and {}.</source>
        <translation>Der Datenträger mit {} ist voll. Schaff etwas Platz und {}.</translation>
    </message>
    <message>
        <source>{}, {}</source>
        <translation>{}, {}</translation>
    </message>
    <message>
        <source>Trying out what is fastest on this computer</source>
        <translation>Es wird ausprobiert, was auf diesem Computer am schnellsten ist</translation>
    </message>
    <message>
        <source>Preparing a copy of the model for fast sampling</source>
        <translation>Eine Kopie des Modells für schnelles Probieren wird vorbereitet</translation>
    </message>
    <message>
        <source>llama.cpp is not installed here. Choose another sampler, or install llama-cpp-python.</source>
        <translation>llama.cpp ist hier nicht installiert. Wähle einen anderen Sampler, oder installiere llama-cpp-python.</translation>
    </message>
    <message>
        <source>The file {} cannot be loaded by llama.cpp ({}). Delete it, and it is made again.</source>
        <translation>Die Datei {} kann llama.cpp nicht laden ({}). Lösche sie, und sie wird neu gemacht.</translation>
    </message>
    <message>
        <source>The adapter {} cannot be used by llama.cpp ({}). Let it be written again.</source>
        <translation>Den Adapter {} kann llama.cpp nicht benutzen ({}). Lass ihn noch einmal schreiben.</translation>
    </message>
    <message>
        <source>The copy of the model {} for llama.cpp is one of another model. Delete it, and it is made again.</source>
        <translation>Die Kopie des Modells {} für llama.cpp ist die eines anderen Modells. Lösche sie, und sie wird neu gemacht.</translation>
    </message>
    <message>
        <source>runs on battery</source>
        <translation>läuft mit Akku</translation>
    </message>
    <message>
        <source>runs on mains, without a battery</source>
        <translation>läuft am Netz, ohne Akku</translation>
    </message>
    <message>
        <source>runs on mains, {} % full</source>
        <translation>läuft am Netz, {} % voll</translation>
    </message>
    <message>
        <source>there is a battery, but the system does not tell whether it is in use</source>
        <translation>es gibt einen Akku, aber das System verrät nicht, ob er in Gebrauch ist</translation>
    </message>
    <message>
        <source>runs on battery, {} % full</source>
        <translation>läuft mit Akku, {} % voll</translation>
    </message>
    <message>
        <source>the processor has {} °C</source>
        <translation>der Prozessor hat {} °C</translation>
    </message>
    <message>
        <source>this computer does not tell how hot its processor is</source>
        <translation>dieser Computer verrät nicht, wie heiß sein Prozessor ist</translation>
    </message>
    <message>
        <source>no program of this desktop tells when it was last touched</source>
        <translation>kein Programm dieser Oberfläche verrät, wann sie zuletzt berührt wurde</translation>
    </message>
    <message>
        <source>the screen saver</source>
        <translation>der Bildschirmschoner</translation>
    </message>
    <message>
        <source>untouched for {} s, says {}</source>
        <translation>unberührt seit {} s, sagt {}</translation>
    </message>
    <message>
        <source>others use {} % of the processor</source>
        <translation>andere brauchen {} % des Prozessors</translation>
    </message>
    <message>
        <source>how busy the processor is will be known in a moment</source>
        <translation>wie beschäftigt der Prozessor ist, zeigt sich gleich</translation>
    </message>
    <message>
        <source>moderate</source>
        <translation>mäßig</translation>
    </message>
    <message>
        <source>heavy</source>
        <translation>stark</translation>
    </message>
    <message>
        <source>very heavy</source>
        <translation>sehr stark</translation>
    </message>
    <message>
        <source>about to sleep</source>
        <translation>kurz vor dem Ruhezustand</translation>
    </message>
    <message>
        <source>pressure by heat: {}</source>
        <translation>Druck durch Hitze: {}</translation>
    </message>
    <message>
        <source>macOS does not tell how hot the computer is</source>
        <translation>macOS verrät nicht, wie heiß der Computer ist</translation>
    </message>
    <message>
        <source>untouched for {} s</source>
        <translation>unberührt seit {} s</translation>
    </message>
    <message>
        <source>macOS does not tell when it was last touched</source>
        <translation>macOS verrät nicht, wann der Computer zuletzt berührt wurde</translation>
    </message>
    <message>
        <source>{} programs run</source>
        <translation>{} Programme laufen</translation>
    </message>
    <message>
        <source>the system lists no programs</source>
        <translation>das System zählt keine Programme auf</translation>
    </message>
    <message>
        <source>cannot be read ({}: {})</source>
        <translation>nicht zu lesen ({}: {})</translation>
    </message>
    <message>
        <source>Check that this network lets UDP through, or add a meeting point.</source>
        <translation>Prüf, ob dieses Netz UDP durchlässt, oder füge einen Treffpunkt hinzu.</translation>
    </message>
    <message>
        <source>Looking for others over the internet could not start ({}). Add a meeting point instead, or install Waggle anew.</source>
        <translation>Die Suche nach anderen über das Internet konnte nicht beginnen ({}). Füge stattdessen einen Treffpunkt hinzu, oder installiere Waggle neu.</translation>
    </message>
    <message>
        <source>Finding others over the internet without a meeting point needs libtorrent, which is not installed. Install it, or add a meeting point.</source>
        <translation>Um andere über das Internet ohne Treffpunkt zu finden, braucht es libtorrent, und das ist nicht installiert. Installiere es, oder füge einen Treffpunkt hinzu.</translation>
    </message>
    <message>
        <source>Looking for others on the internet failed unexpectedly; it is tried again. If that goes on, add a meeting point.</source>
        <translation>Die Suche nach anderen im Internet schlug unerwartet fehl; sie wird wiederholt. Wenn das so weitergeht, füge einen Treffpunkt hinzu.</translation>
    </message>
    <message>
        <source>No way to others is open: add a meeting point, or allow meeting others on this network.</source>
        <translation>Kein Weg zu anderen ist offen: Füge einen Treffpunkt hinzu, oder erlaube, andere in diesem Netz zu treffen.</translation>
    </message>
    <message>
        <source>This swarm practises decks that are not on this computer. See them first, and agree to them, on the page Swarm.</source>
        <translation>Dieser Schwarm übt Kartensätze, die nicht auf diesem Computer sind. Sieh sie dir zuerst auf der Seite Schwarm an und stimme zu.</translation>
    </message>
    <message>
        <source>The saved progress {} was written by another version of Waggle. Use that version.</source>
        <translation>Der gespeicherte Stand {} stammt von einer anderen Version von Waggle. Nimm diese Version.</translation>
    </message>
    <message>
        <source>All checkpoints in {} are damaged.</source>
        <translation>Alle Zwischenstände in {} sind beschädigt.</translation>
    </message>
    <message>
        <source>The saved progress belongs to another version of the model {}.</source>
        <translation>Der gespeicherte Stand gehört zu einer anderen Version des Modells {}.</translation>
    </message>
    <message>
        <source>macOS does not tell whether something fills the screen</source>
        <translation>macOS verrät nicht, ob etwas den Bildschirm füllt</translation>
    </message>
    <message>
        <source>not installed; with the package libtorrent others are found through the BitTorrent network</source>
        <translation>nicht installiert; mit dem Paket libtorrent werden andere über das BitTorrent-Netz gefunden</translation>
    </message>
    <message>
        <source>not installed; with the package redis a hub of yours can keep its rollouts in Redis</source>
        <translation>nicht installiert; mit dem Paket redis kann ein eigener Treffpunkt seine Versuche in Redis aufbewahren</translation>
    </message>
    <message>
        <source>Windows does not tell when it was last touched</source>
        <translation>Windows verrät nicht, wann der Computer zuletzt berührt wurde</translation>
    </message>
    <message>
        <source>a program fills the screen</source>
        <translation>ein Programm füllt den Bildschirm</translation>
    </message>
    <message>
        <source>a game fills the screen</source>
        <translation>ein Spiel füllt den Bildschirm</translation>
    </message>
    <message>
        <source>a presentation is on</source>
        <translation>eine Präsentation läuft</translation>
    </message>
    <message>
        <source>nothing fills the screen</source>
        <translation>nichts füllt den Bildschirm</translation>
    </message>
    <message>
        <source>Windows does not tell whether something fills the screen</source>
        <translation>Windows verrät nicht, ob etwas den Bildschirm füllt</translation>
    </message>
    <message>
        <source>this desktop does not tell whether something fills the screen</source>
        <translation>diese Oberfläche verrät nicht, ob etwas den Bildschirm füllt</translation>
    </message>
    <message>
        <source>The settings file {} cannot be read: {}. Mend that line, or delete the file to start with the defaults.</source>
        <translation>Die Einstellungsdatei {} kann nicht gelesen werden: {}. Bring diese Zeile in Ordnung, oder lösche die Datei, um mit den Voreinstellungen zu beginnen.</translation>
    </message>
    <message>
        <source>Nobody in the BitTorrent network answers ({}).</source>
        <translation>Im BitTorrent-Netz antwortet niemand ({}).</translation>
    </message>
    <message>
        <source>Nobody in the BitTorrent network answers.</source>
        <translation>Im BitTorrent-Netz antwortet niemand.</translation>
    </message>
    <message>
        <source>{} cannot be read ({}). Install Waggle again.</source>
        <translation>{} kann nicht gelesen werden ({}). Installiere Waggle neu.</translation>
    </message>
    <message>
        <source>This computer has only IPv6 addresses on its network, so it finds only others that have one too. If somebody is missing, switch on IPv4.</source>
        <translation>Dieser Computer hat in seinem Netz nur IPv6-Adressen und findet darum nur andere, die auch eine haben. Wenn jemand fehlt, schalte IPv4 ein.</translation>
    </message>
    <message>
        <source>This computer was given no address on its network, so nobody can reach it. Connect to the network again, or switch on IPv4.</source>
        <translation>Dieser Computer bekam in seinem Netz keine Adresse, darum kann ihn niemand erreichen. Verbinde dich neu mit dem Netz, oder schalte IPv4 ein.</translation>
    </message>
    <message>
        <source>This computer is on no local network. Join a Wi-Fi or plug in a cable to find others nearby.</source>
        <translation>Dieser Computer ist in keinem lokalen Netz. Geh in ein WLAN oder steck ein Kabel ein, um andere in der Nähe zu finden.</translation>
    </message>
    <message>
        <source>Nothing can be announced on {} ({}). Connect to the network again to find others nearby.</source>
        <translation>Auf {} kann nichts angekündigt werden ({}). Verbinde dich neu mit dem Netz, um andere in der Nähe zu finden.</translation>
    </message>
    <message>
        <source>What this computer announces on {} is not heard, so others nearby may not find it. Allow Waggle and UDP port 5353 in the firewall, and the local network in the VPN.</source>
        <translation>Was dieser Computer auf {} ankündigt, wird nicht gehört, darum finden ihn andere in der Nähe vielleicht nicht. Erlaube Waggle und den UDP-Port 5353 in der Firewall, und das lokale Netz im VPN.</translation>
    </message>
    <message>
        <source>Allow UDP port 5353 in the firewall or sandbox that it runs in.</source>
        <translation>Erlaube den UDP-Port 5353 in der Firewall oder der Umgebung, in der es läuft.</translation>
    </message>
    <message>
        <source>Only a VPN ({}) is connected, and nobody nearby can be found through it. Join a Wi-Fi or plug in a cable, and let the VPN allow the local network.</source>
        <translation>Nur ein VPN ({}) ist verbunden, und dadurch ist niemand in der Nähe zu finden. Geh in ein WLAN oder steck ein Kabel ein, und lass das VPN das lokale Netz erlauben.</translation>
    </message>
    <message>
        <source>The network at {} does not carry announcements (no multicast). Join another network to find others nearby.</source>
        <translation>Das Netz an {} überträgt keine Ankündigungen (kein Multicast). Geh in ein anderes Netz, um andere in der Nähe zu finden.</translation>
    </message>
    <message>
        <source>Only networks of containers or virtual machines ({}) are connected. Join a Wi-Fi or plug in a cable to find others nearby.</source>
        <translation>Nur Netze von Containern oder virtuellen Maschinen ({}) sind verbunden. Geh in ein WLAN oder steck ein Kabel ein, um andere in der Nähe zu finden.</translation>
    </message>
    <message>
        <source>Another program keeps UDP port 5353 to itself, so others nearby cannot be found. End it, or let it share (Avahi: disallow-other-stacks=no).</source>
        <translation>Ein anderes Programm behält den UDP-Port 5353 für sich, darum sind andere in der Nähe nicht zu finden. Beende es, oder lass es teilen (Avahi: disallow-other-stacks=no).</translation>
    </message>
    <message>
        <source>Allow it in System Settings, Privacy &amp; Security, Local Network.</source>
        <translation>Erlaube es in den Systemeinstellungen unter Datenschutz &amp; Sicherheit, Lokales Netzwerk.</translation>
    </message>
    <message>
        <source>Allow it in Windows Security, Firewall &amp; network protection.</source>
        <translation>Erlaube es in der Windows-Sicherheit unter Firewall- und Netzwerkschutz.</translation>
    </message>
    <message>
        <source>Waggle is not allowed to look for others on the local network.</source>
        <translation>Waggle darf im lokalen Netz nicht nach anderen suchen.</translation>
    </message>
    <message>
        <source>{} is no address of a node. Write it like 192.168.1.5:40123.</source>
        <translation>{} ist keine Adresse eines Knotens. Schreib sie wie 192.168.1.5:40123.</translation>
    </message>
    <message>
        <source>Practising alone.</source>
        <translation>Übt allein.</translation>
    </message>
    <message>
        <source>Nobody else is here yet.</source>
        <translation>Noch ist niemand sonst hier.</translation>
    </message>
    <message>
        <source>llama.cpp does not know {}, which the model {} has. Save it as Whole model or as The learnt part only (adapter) instead; on the command line with --to merged or --to peft.</source>
        <translation>llama.cpp kennt {} nicht, und das Modell {} hat es. Speichere es stattdessen als „Ganzes Modell“ oder „Nur das Gelernte (Adapter)“; auf der Kommandozeile mit --to merged oder --to peft.</translation>
    </message>
    <message>
        <source>llama.cpp has no tokenizer like that of the model {}. Save it as Whole model or as The learnt part only (adapter) instead; on the command line with --to merged or --to peft.</source>
        <translation>llama.cpp hat keinen Tokenizer wie den des Modells {}. Speichere es stattdessen als „Ganzes Modell“ oder „Nur das Gelernte (Adapter)“; auf der Kommandozeile mit --to merged oder --to peft.</translation>
    </message>
    <message>
        <source>The proxy of your network asks for a name and a password. Put them into its address, as http://name:password@host:port: in the window under Settings, Meeting others, Proxy, and then start Waggle again; on the command line into HTTPS_PROXY.</source>
        <translation>Der Proxy deines Netzes fragt nach Name und Passwort. Setz sie in seine Adresse, als http://name:password@host:port: im Fenster unter „Einstellungen“, „Andere treffen“, „Proxy“, und starte Waggle dann neu; auf der Kommandozeile in HTTPS_PROXY.</translation>
    </message>
    <message>
        <source>It now solves about as much at the first try as it did before within eight tries: {} against {}.</source>
        <translation>Es löst jetzt beim ersten Versuch etwa so viel wie vorher in acht Versuchen: {} gegen {}.</translation>
    </message>
    <message>
        <source>It has not practised yet, so both are the same model.</source>
        <translation>Es hat noch nicht geübt, also sind beide dasselbe Modell.</translation>
    </message>
    <message>
        <source>It has become worse: {} points, give or take {}.</source>
        <translation>Es ist schlechter geworden: {} Punkte, plus oder minus {}.</translation>
    </message>
    <message>
        <source>Of the gain of {} points, {} are skill: right answers that were wrong before even when the form is forgiven; {} are form.</source>
        <translation>Vom Gewinn von {} Punkten sind {} Können: richtige Antworten, die vorher falsch waren, auch wenn man die Form verzeiht; {} sind Form.</translation>
    </message>
    <message>
        <source>The gain of {} points, give or take {}, is skill: right answers that were wrong before even when the form is forgiven.</source>
        <translation>Der Gewinn von {} Punkten, plus oder minus {}, ist Können: richtige Antworten, die vorher falsch waren, auch wenn man die Form verzeiht.</translation>
    </message>
    <message>
        <source>The gain of {} points, give or take {}, is form: it knew these answers before, and now writes them as asked.</source>
        <translation>Der Gewinn von {} Punkten, plus oder minus {}, ist Form: Es kannte diese Antworten schon vorher und schreibt sie jetzt so, wie gefragt war.</translation>
    </message>
    <message>
        <source>It now solves more at the first try than it did before within eight tries: {} against {}.</source>
        <translation>Es löst jetzt beim ersten Versuch mehr als vorher in acht Versuchen: {} gegen {}.</translation>
    </message>
    <message>
        <source>It does not yet solve as much at the first try as it did before within eight tries: {} against {}.</source>
        <translation>Es löst beim ersten Versuch noch nicht so viel wie vorher in acht Versuchen: {} gegen {}.</translation>
    </message>
    <message>
        <source>Of all kinds of puzzles at all levels, estimated from what was tried lately. A score is no payment: nothing here earns money.</source>
        <translation>Von allen Arten von Rätseln auf allen Stufen, geschätzt aus den letzten Versuchen. Eine Punktzahl ist keine Bezahlung: Hier wird kein Geld verdient.</translation>
    </message>
    <message>
        <source>Others&apos; tries taught your model {} kinds of puzzles at levels that it never solved alone.</source>
        <translation>Die Versuche anderer haben deinem Modell {} Arten von Rätseln auf Stufen beigebracht, die es allein nie gelöst hatte.</translation>
    </message>
    <message>
        <source>Others&apos; tries taught your model a kind of puzzle at a level that it never solved alone.</source>
        <translation>Die Versuche anderer haben deinem Modell eine Art von Rätseln auf einer Stufe beigebracht, die es allein nie gelöst hatte.</translation>
    </message>
    <message>
        <source>Getting to know your model.</source>
        <translation>Dein Modell wird kennengelernt.</translation>
    </message>
    <message>
        <source>Your model solves {} % of all puzzles.</source>
        <translation>Dein Modell löst {} % aller Rätsel.</translation>
    </message>
    <message>
        <source>At first it was {} %.</source>
        <translation>Am Anfang waren es {} %.</translation>
    </message>
    <message>
        <source>This deck has more than {} bytes. Make two of it.</source>
        <translation>Dieser Kartensatz hat mehr als {} Bytes. Mach zwei daraus.</translation>
    </message>
    <message>
        <source>This deck is not as Waggle writes decks. Make it anew from its table.</source>
        <translation>Dieser Kartensatz ist nicht so, wie Waggle sie schreibt. Mach ihn aus seiner Tabelle neu.</translation>
    </message>
    <message>
        <source>This deck has more than {} answers, labels and words of variables. Make two of it.</source>
        <translation>Dieser Kartensatz hat mehr als {} Antworten, Auswahlmöglichkeiten und Wörter von Variablen. Mach zwei daraus.</translation>
    </message>
    <message>
        <source>This deck has no questions. Add at least one.</source>
        <translation>Dieser Kartensatz hat keine Fragen. Füge mindestens eine hinzu.</translation>
    </message>
    <message>
        <source>This deck has no level {}. Number its levels 1, 2, 3, …</source>
        <translation>Dieser Kartensatz hat keine Stufe {}. Nummeriere seine Stufen 1, 2, 3, …</translation>
    </message>
    <message>
        <source>Row {}: {}</source>
        <translation>Zeile {}: {}</translation>
    </message>
    <message>
        <source>The expressions up to here have more than {} numbers, names and signs. Make two decks.</source>
        <translation>Die Ausdrücke bis hierher haben mehr als {} Zahlen, Namen und Zeichen. Mach zwei Kartensätze daraus.</translation>
    </message>
    <message>
        <source>This is no deck that this Waggle can read ({}). Ask for it again.</source>
        <translation>Das ist kein Kartensatz, den dieses Waggle lesen kann ({}). Bitte noch einmal darum.</translation>
    </message>
    <message>
        <source>{} is not among the labels to choose from.</source>
        <translation>{} ist nicht unter den Antworten, die zur Auswahl stehen.</translation>
    </message>
    <message>
        <source>The expression {} is too long. Use at most {} characters.</source>
        <translation>Der Ausdruck {} ist zu lang. Nimm höchstens {} Zeichen.</translation>
    </message>
    <message>
        <source>{} cannot be worked out. Use numbers, the variables, + - * / // % ** ( ), comparisons and {}.</source>
        <translation>{} lässt sich nicht ausrechnen. Nimm Zahlen, die Variablen, + - * / // % ** ( ), Vergleiche und {}.</translation>
    </message>
    <message>
        <source>Each question needs an answer. Say which columns hold the two.</source>
        <translation>Jede Frage braucht eine Antwort. Sag, in welchen Spalten die beiden stehen.</translation>
    </message>
    <message>
        <source>More than {} rows have variables. Make two decks.</source>
        <translation>Mehr als {} Zeilen haben Variablen. Mach zwei Kartensätze daraus.</translation>
    </message>
    <message>
        <source>It is the same as row {}. Delete one.</source>
        <translation>Sie ist dieselbe wie Zeile {}. Lösche eine.</translation>
    </message>
    <message>
        <source>No values of its variables make a puzzle. Look at its condition and its answer.</source>
        <translation>Keine Werte ihrer Variablen ergeben ein Rätsel. Sieh dir ihre Bedingung und ihre Antwort an.</translation>
    </message>
    <message>
        <source>Several decks are called {}. Name it by its digest: {}.</source>
        <translation>Mehrere Kartensätze heißen {}. Nenne ihn bei seiner Prüfsumme: {}.</translation>
    </message>
    <message>
        <source>The deck {} is not the one that it was. Add it again.</source>
        <translation>Der Kartensatz {} ist nicht mehr der, der er war. Füge ihn noch einmal hinzu.</translation>
    </message>
    <message>
        <source>The deck {} cannot be read ({}).</source>
        <translation>Der Kartensatz {} kann nicht gelesen werden ({}).</translation>
    </message>
    <message>
        <source>“{}” has several lines. Write it in one.</source>
        <translation>„{}“ hat mehrere Zeilen. Schreib es in eine.</translation>
    </message>
    <message>
        <source>There is white space around “{}”. Take it away.</source>
        <translation>Um „{}“ herum ist Leerraum. Nimm ihn weg.</translation>
    </message>
    <message>
        <source>There is a hidden letter, {}, in {}. Type that text again.</source>
        <translation>Ein verborgenes Zeichen, {}, steht in {}. Tipp diesen Text neu.</translation>
    </message>
    <message>
        <source>{} is no level. Write a whole number from 1 to {}.</source>
        <translation>{} ist keine Stufe. Schreib eine ganze Zahl von 1 bis {}.</translation>
    </message>
    <message>
        <source>It has more cells than the first row. Put quotation marks around a text that contains the separator.</source>
        <translation>Sie hat mehr Zellen als die erste Zeile. Setz einen Text, der das Trennzeichen enthält, in Anführungszeichen.</translation>
    </message>
    <message>
        <source>The question or the answer is missing. Write both.</source>
        <translation>Die Frage oder die Antwort fehlt. Schreib beide.</translation>
    </message>
    <message>
        <source>It has a condition, but no variables. Write such, too.</source>
        <translation>Sie hat eine Bedingung, aber keine Variablen. Schreib auch solche.</translation>
    </message>
    <message>
        <source>It has more than {} accepted answers or {} labels. Leave some out.</source>
        <translation>Sie hat mehr als {} richtige Antworten oder {} zur Auswahl. Lass einige weg.</translation>
    </message>
    <message>
        <source>Labels cannot stand in a row with variables. Leave one of both out.</source>
        <translation>Eine Auswahl kann nicht in einer Zeile mit Variablen stehen. Lass eines von beiden weg.</translation>
    </message>
    <message>
        <source>{} has more than {} characters. Shorten it.</source>
        <translation>{} hat mehr als {} Zeichen. Kürze es.</translation>
    </message>
    <message>
        <source>A quotation mark in row {} is not closed, or stands within a cell. Write it twice where it is meant as one, and quotation marks around that cell.</source>
        <translation>Ein Anführungszeichen in Zeile {} wird nicht geschlossen oder steht mitten in einer Zelle. Schreib es doppelt, wo es als solches gemeint ist, und Anführungszeichen um diese Zelle.</translation>
    </message>
    <message>
        <source>This table has more than {}. Make two of it.</source>
        <translation>Diese Tabelle hat mehr als {}. Mach zwei daraus.</translation>
    </message>
    <message>
        <source>This table has more than {} columns. Keep those with questions and answers.</source>
        <translation>Diese Tabelle hat mehr als {} Spalten. Behalte die mit Fragen und Antworten.</translation>
    </message>
    <message>
        <source>There are no rows in this table. Write at least one.</source>
        <translation>In dieser Tabelle sind keine Zeilen. Schreib mindestens eine.</translation>
    </message>
    <message>
        <source>This is neither text nor a workbook. Save the table as CSV or as .xlsx.</source>
        <translation>Das ist weder Text noch eine Arbeitsmappe. Speichere die Tabelle als CSV oder als .xlsx.</translation>
    </message>
    <message>
        <source>{} bytes</source>
        <translation>{} Bytes</translation>
    </message>
    <message>
        <source>This is an old workbook, or one with a password. Save it as .xlsx or as CSV, without a password.</source>
        <translation>Das ist eine alte Arbeitsmappe oder eine mit Passwort. Speichere sie als .xlsx oder als CSV, ohne Passwort.</translation>
    </message>
    <message>
        <source>{} rows</source>
        <translation>{} Zeilen</translation>
    </message>
    <message>
        <source>{} characters</source>
        <translation>{} Zeichen</translation>
    </message>
    <message>
        <source>This is no table in JSON ({}). Write a list of objects, or one in each line, with texts, numbers and lists of them.</source>
        <translation>Das ist keine Tabelle in JSON ({}). Schreib eine Liste von Objekten, oder eines in jede Zeile, mit Texten, Zahlen und Listen davon.</translation>
    </message>
    <message>
        <source>{} has a brace without its partner, or more than {} blanks. Write {{ for a brace that is meant as one.</source>
        <translation>{} hat eine geschweifte Klammer ohne Gegenstück oder mehr als {} Lücken. Schreib {{ für eine Klammer, die als solche gemeint ist.</translation>
    </message>
    <message>
        <source>The variable {} has no value: its bounds are reversed.</source>
        <translation>Die Variable {} hat keinen Wert: Ihre Grenzen sind vertauscht.</translation>
    </message>
    <message>
        <source>There is no variable. Write one like a = 2..12.</source>
        <translation>Da ist keine Variable. Schreib eine wie a = 2..12.</translation>
    </message>
    <message>
        <source>There are more than {} variables. Leave some out.</source>
        <translation>Es sind mehr als {} Variablen. Lass einige weg.</translation>
    </message>
    <message>
        <source>The variable {} has no value. Write the smaller number first, and a step of 1 or more.</source>
        <translation>Die Variable {} hat keinen Wert. Schreib die kleinere Zahl zuerst, und eine Schrittweite von mindestens 1.</translation>
    </message>
    <message>
        <source>The numbers of {} cannot be read. Write them like 2..12 step 2.</source>
        <translation>Die Zahlen von {} sind nicht zu lesen. Schreib sie wie 2..12 step 2.</translation>
    </message>
    <message>
        <source>The words of {} cannot be used. Write at most {} of them, each with 1 to {} characters, with / in between.</source>
        <translation>Die Wörter von {} sind nicht zu gebrauchen. Schreib höchstens {}, jedes mit 1 bis {} Zeichen, mit / dazwischen.</translation>
    </message>
    <message>
        <source>“{}” is no variable. Write it like a = 2..12 or name = Anna / Ben, with a name of at most 16 small letters and digits.</source>
        <translation>„{}“ ist keine Variable. Schreib sie wie a = 2..12 oder name = Anna / Ben, mit einem Namen aus höchstens 16 Kleinbuchstaben und Ziffern.</translation>
    </message>
    <message>
        <source>There are two variables {}. Give one another name.</source>
        <translation>Es gibt zwei Variablen {}. Gib einer einen anderen Namen.</translation>
    </message>
    <message>
        <source>This is no workbook that Waggle can read. Open it in a spreadsheet program and save it as .xlsx or as CSV.</source>
        <translation>Das ist keine Arbeitsmappe, die Waggle lesen kann. Öffne sie in einer Tabellenkalkulation und speichere sie als .xlsx oder als CSV.</translation>
    </message>
    <message>
        <source>This workbook holds far more than a deck can. Copy the table alone into a new one, or save it as CSV.</source>
        <translation>Diese Arbeitsmappe enthält weit mehr, als ein Kartensatz fassen kann. Kopier nur die Tabelle in eine neue, oder speichere sie als CSV.</translation>
    </message>
    <message>
        <source>This workbook is protected by a password. Save it without one.</source>
        <translation>Diese Arbeitsmappe ist mit einem Passwort geschützt. Speichere sie ohne.</translation>
    </message>
    <message>
        <source>Too few questions are held out for an exam: {}. Add some.</source>
        <translation>Für eine Prüfung sind zu wenige Fragen zurückgehalten: {}. Füge welche hinzu.</translation>
    </message>
    <message>
        <source>The saved progress was made with the recipe {}, which this Waggle does not know. Use the version that made it.</source>
        <translation>Der gespeicherte Stand entstand mit dem Rezept {}, das dieses Waggle nicht kennt. Nimm die Version, die ihn machte.</translation>
    </message>
    <message>
        <source>{} and a copy of it for llama.cpp take {} of memory, and {} are free for it. Set sampler to auto or torch in {}.</source>
        <translation>{} und eine Kopie davon für llama.cpp brauchen {} Arbeitsspeicher, und {} sind dafür frei. Setz sampler in {} auf auto oder torch.</translation>
    </message>
    <message>
        <source>The model&apos;s scores are no numbers any more: it has learnt something too wild for the precision it runs in.</source>
        <translation>Die Werte des Modells sind keine Zahlen mehr: Es hat etwas zu Wildes gelernt für die Genauigkeit, in der es läuft.</translation>
    </message>
    <message>
        <source>{} is not here any more. What was learnt from it stays.</source>
        <translation>{} ist nicht mehr hier. Was daraus gelernt wurde, bleibt.</translation>
    </message>
    <message>
        <source>There are {} decks here already. Remove one first.</source>
        <translation>Hier sind schon {} Kartensätze. Entferne zuerst einen.</translation>
    </message>
    <message>
        <source>There is no column {}. There are: {}.</source>
        <translation>Es gibt keine Spalte {}. Es gibt: {}.</translation>
    </message>
    <message>
        <source>{} solves {} of {} of these: choose a larger model, or add levels that are easier.</source>
        <translation>{} löst {} von {} davon: Wähle ein größeres Modell, oder füge leichtere Stufen hinzu.</translation>
    </message>
    <message>
        <source>“{}” is no language. Write it like en or de-AT.</source>
        <translation>„{}“ ist keine Sprache. Schreib sie wie en oder de-AT.</translation>
    </message>
    <message>
        <source>“{}” is no tolerance. Write it like 0.5.</source>
        <translation>„{}“ ist keine Toleranz. Schreib sie wie 0.5.</translation>
    </message>
    <message>
        <source>This deck has no name. Give it one.</source>
        <translation>Dieser Kartensatz hat keinen Namen. Gib ihm einen.</translation>
    </message>
    <message>
        <source>Name, author and licence have at most {} letters each.</source>
        <translation>Name, Autor und Lizenz haben je höchstens {} Zeichen.</translation>
    </message>
    <message>
        <source>Saved: {}</source>
        <translation>Gespeichert: {}</translation>
    </message>
    <message>
        <source>Waggle was opened from its disk image or its download, where it cannot be found once the computer has started again. Drag it into Applications, open it there, and switch this on again.</source>
        <translation>Waggle wurde aus seinem Speicherabbild oder Download geöffnet, wo es nach dem nächsten Start des Computers nicht mehr zu finden ist. Zieh es in den Ordner Programme, öffne es dort und schalte dies noch einmal ein.</translation>
    </message>
    <message>
        <source>The graphics card {} is not here, or PyTorch cannot use it. Choose another one under Settings, How much, or set device to auto.</source>
        <translation>Die Grafikkarte {} ist nicht da, oder PyTorch kann sie nicht nutzen. Wähle eine andere unter „Einstellungen“, „Wie viel“, oder setz device auf auto.</translation>
    </message>
    <message>
        <source>The memory of this computer, or of its graphics card, ran out while {} was being trained; what it learnt until the last round is safe. {}</source>
        <translation>Der Speicher dieses Computers oder seiner Grafikkarte ging aus, während {} trainiert wurde; was es bis zur letzten Runde gelernt hat, ist sicher. {}</translation>
    </message>
    <message>
        <source>{0} needs about {1} of the graphics card&apos;s memory to be trained, and {2} are free there. {3} Or choose the processor as device under Settings, How much.</source>
        <translation>{0} braucht zum Trainieren etwa {1} vom Speicher der Grafikkarte, und dort sind {2} frei. {3} Oder wähle den Prozessor unter „Einstellungen“, „Wie viel“.</translation>
    </message>
    <message>
        <source>Trying out which precision suits this computer</source>
        <translation>Es wird ausprobiert, welche Genauigkeit zu diesem Computer passt</translation>
    </message>
    <message>
        <source>no driver tells who uses the graphics card</source>
        <translation>kein Treiber sagt, wer die Grafikkarte nutzt</translation>
    </message>
    <message>
        <source>others use {} % of the graphics card</source>
        <translation>andere nutzen {} % der Grafikkarte</translation>
    </message>
    <message>
        <source>how busy the card is will be known in a moment</source>
        <translation>wie ausgelastet die Grafikkarte ist, ist gleich bekannt</translation>
    </message>
    <message>
        <source>{} was never tried; whether it counts right and how fast, tells: waggle bench gpu</source>
        <translation>{} wurde nie erprobt; ob sie richtig rechnet und wie schnell, sagt: waggle bench gpu</translation>
    </message>
    <message>
        <source>none that PyTorch can use; the processor trains all models</source>
        <translation>keine, die PyTorch nutzen kann; der Prozessor trainiert alle Modelle</translation>
    </message>
    <message>
        <source>{}; what waggle bench gpu found is in {}</source>
        <translation>{}; was waggle bench gpu fand, steht in {}</translation>
    </message>
    <message>
        <source>No row is left. Take at least one.</source>
        <translation>Keine Zeile ist übrig. Nimm mindestens eine.</translation>
    </message>
    <message>
        <source>No row can be used. Row {}: {}</source>
        <translation>Keine Zeile ist zu gebrauchen. Zeile {}: {}</translation>
    </message>
    <message>
        <source>A deck is not on this computer any more. Add it again.</source>
        <translation>Ein Kartensatz ist nicht mehr auf diesem Computer. Füge ihn wieder hinzu.</translation>
    </message>
    <message>
        <source>Decks are handed on by meeting points, and none is named. Name one.</source>
        <translation>Kartensätze werden über Treffpunkte weitergegeben, und es ist keiner genannt. Nenne einen.</translation>
    </message>
    <message>
        <source>This invite names no meeting point, and decks are fetched from one. Ask whoever invited you for one that does.</source>
        <translation>Diese Einladung nennt keinen Treffpunkt, und Kartensätze werden von einem geholt. Bitte den, der dich eingeladen hat, um eine, die einen nennt.</translation>
    </message>
    <message>
        <source>How long a round of {} takes could not be measured. Close other programs, then try again.</source>
        <translation>Wie lange eine Runde von {} dauert, ließ sich nicht messen. Schließe andere Programme und versuche es noch einmal.</translation>
    </message>
    <message>
        <source>No difference that chance could not make: {} points, give or take {}.</source>
        <translation>Kein Unterschied, den nicht auch der Zufall macht: {} Punkte, plus oder minus {}.</translation>
    </message>
    <message>
        <source>It has become better by {} points, give or take {}; whether by skill or by form, this exam cannot tell.</source>
        <translation>Es ist um {} Punkte besser geworden, plus oder minus {}; ob durch Können oder durch Form, kann diese Prüfung nicht sagen.</translation>
    </message>
    <message>
        <source>More puzzles tell more.</source>
        <translation>Mehr Rätsel sagen mehr.</translation>
    </message>
    <message>
        <source>Whether it now solves as much at the first try as it did before within eight tries, this exam cannot tell: {} against {}.</source>
        <translation>Ob es jetzt beim ersten Versuch so viel löst wie vorher in acht Versuchen, kann diese Prüfung nicht sagen: {} gegen {}.</translation>
    </message>
    <message>
        <source>Of the puzzles that are practised here, estimated from what was tried lately. A score is no payment: nothing here earns money.</source>
        <translation>Von den Rätseln, die hier geübt werden, geschätzt aus den letzten Versuchen. Eine Punktzahl ist keine Bezahlung: Hier wird kein Geld verdient.</translation>
    </message>
    <message>
        <source>Your model solves {} % of what it practises.</source>
        <translation>Dein Modell löst {} % von dem, was es übt.</translation>
    </message>
    <message>
        <source>There is no deck {} here. The page Practice (Puzzles) and waggle deck list show all.</source>
        <translation>Hier gibt es keinen Kartensatz {}. Die Seite Üben (Rätsel) und waggle deck list zeigen alle.</translation>
    </message>
    <message>
        <source>Waggle cannot do that as it was asked. Shorten what you typed, or start Waggle anew.</source>
        <translation>Waggle kann das so nicht ausführen. Kürze, was du eingegeben hast, oder starte Waggle neu.</translation>
    </message>
    <message>
        <source>The model {} cannot be used now: {}. Try again later.</source>
        <translation>Das Modell {} kann gerade nicht benutzt werden: {}. Versuch es später noch einmal.</translation>
    </message>
    <message>
        <source>Your access token does not open {}. Accept its terms on huggingface.co/{}, then try again.</source>
        <translation>Dein Zugangsschlüssel öffnet {} nicht. Nimm die Bedingungen auf huggingface.co/{} an und versuch es dann noch einmal.</translation>
    </message>
    <message>
        <source>a file {} of a sensible size</source>
        <translation>eine Datei {} von vernünftiger Größe</translation>
    </message>
    <message>
        <source>the size and hash of its file {}</source>
        <translation>die Angabe von Größe und Prüfsumme seiner Datei {}</translation>
    </message>
    <message>
        <source>the export</source>
        <translation>die Ausgabe</translation>
    </message>
    <message>
        <source>Memory is short, so {} practises in smaller steps from now on: that takes longer and teaches the same. Close other programs to give it more.</source>
        <translation>Der Speicher ist knapp, darum übt {} von jetzt an in kleineren Schritten: das dauert länger und lehrt dasselbe. Schließe andere Programme, um mehr davon freizugeben.</translation>
    </message>
    <message>
        <source>{0} needs about {1} of memory to be trained, and {2} are free for it. {3}</source>
        <translation>{0} braucht zum Trainieren etwa {1} Arbeitsspeicher, und {2} sind dafür frei. {3}</translation>
    </message>
    <message>
        <source>what came is no answer of a meeting point</source>
        <translation>was kam, ist keine Antwort eines Treffpunkts</translation>
    </message>
    <message>
        <source>no answer in time</source>
        <translation>keine rechtzeitige Antwort</translation>
    </message>
    <message>
        <source>it cannot prove who it is</source>
        <translation>er kann sich nicht ausweisen</translation>
    </message>
    <message>
        <source>its answer is an error, {}</source>
        <translation>seine Antwort ist ein Fehler, {}</translation>
    </message>
    <message>
        <source>{}{} is not on this computer yet. Download it on the page Models, or with: waggle models get {}</source>
        <translation>{}{} ist noch nicht auf diesem Computer. Lade es auf der Seite Modelle oder mit: waggle models get {}</translation>
    </message>
    <message>
        <source>its description breaks a rule ({})</source>
        <translation>seine Beschreibung verletzt eine Regel ({})</translation>
    </message>
    <message>
        <source>Hugging Face has nothing called {}, or it is private. Look its name up on huggingface.co.</source>
        <translation>Auf Hugging Face gibt es nichts namens {}, oder es ist privat. Sieh auf huggingface.co nach dem Namen.</translation>
    </message>
    <message>
        <source>it lacks {}</source>
        <translation>ihm fehlt {}</translation>
    </message>
    <message>
        <source>The connection broke off while {} was being downloaded, and the model hub cannot go on where it stopped. Try again: it begins anew.</source>
        <translation>Die Verbindung brach ab, während {} geladen wurde, und die Modellquelle kann nicht weitermachen, wo es aufhörte. Versuch es noch einmal: Es beginnt von vorn.</translation>
    </message>
    <message>
        <source>no connection comes about</source>
        <translation>es kommt keine Verbindung zustande</translation>
    </message>
    <message>
        <source>no encrypted connection comes about</source>
        <translation>es kommt keine verschlüsselte Verbindung zustande</translation>
    </message>
    <message>
        <source>it hung up without an answer</source>
        <translation>er legte auf, ohne zu antworten</translation>
    </message>
    <message>
        <source>{} is a file, where Waggle needs a folder. Move it away, or choose another folder for Waggle.</source>
        <translation>{} ist eine Datei, wo Waggle einen Ordner braucht. Leg sie beiseite, oder wähle einen anderen Ordner für Waggle.</translation>
    </message>
    <message>
        <source>llama.cpp is not installed. Set sampler to auto or torch in {}.</source>
        <translation>llama.cpp ist nicht installiert. Setz sampler in {} auf auto oder torch.</translation>
    </message>
    <message>
        <source>llama.cpp cannot be used for the model {} on this computer; the log folder says more. Set sampler to auto or torch in {}.</source>
        <translation>Auf diesem Computer lässt sich llama.cpp nicht für das Modell {} benutzen; im Protokollordner steht mehr. Setz sampler in {} auf auto oder torch.</translation>
    </message>
    <message>
        <source>a copy of {} for llama.cpp</source>
        <translation>eine Kopie von {} für llama.cpp</translation>
    </message>
    <message>
        <source>Waggle runs from its disk image or its download. Drag it into Applications and open it there, so that it can be updated and start with the computer.</source>
        <translation>Waggle läuft aus seinem Abbild oder aus den Downloads. Zieh es in „Programme“ und öffne es dort, damit es aktualisiert werden und mit dem Computer starten kann.</translation>
    </message>
    <message>
        <source>{} gets {} % of its tries right, and solves {} of {} questions within {} tries: there is something to learn.</source>
        <translation>{} liegt bei {} % seiner Versuche richtig und löst {} von {} Fragen in {} Versuchen: Da gibt es etwas zu lernen.</translation>
    </message>
    <message>
        <source>{} gets {} % of its tries right already: there is little left to learn. Add harder questions.</source>
        <translation>{} liegt schon bei {} % seiner Versuche richtig: Da bleibt wenig zu lernen. Füge schwerere Fragen hinzu.</translation>
    </message>
    <message>
        <source>{}, {}, is in use by another program. Close that one, then try again.</source>
        <translation>{}, {}, wird von einem anderen Programm benutzt. Schließ das, dann versuch es noch einmal.</translation>
    </message>
    <message>
        <source>What answers at {} is no meeting point. Check the address.</source>
        <translation>Was bei {} antwortet, ist kein Treffpunkt. Prüf die Adresse.</translation>
    </message>
    <message>
        <source>None of the {} meeting points can be reached; practising alone and trying again.</source>
        <translation>Keiner der {} Treffpunkte ist zu erreichen; es übt allein und versucht es weiter.</translation>
    </message>
    <message>
        <source>This computer&apos;s clock is off by more than ten minutes, so others cannot use what it shares. Set the clock.</source>
        <translation>Die Uhr dieses Computers geht um mehr als zehn Minuten falsch, darum können andere nichts mit dem anfangen, was er teilt. Stell die Uhr.</translation>
    </message>
    <message>
        <source>The others here practise the puzzles of another release. Update Waggle to practise with them.</source>
        <translation>Die anderen hier üben die Rätsel einer anderen Version. Aktualisiere Waggle, um mit ihnen zu üben.</translation>
    </message>
    <message>
        <source>Practising with {} others.</source>
        <translation>Übt mit {} anderen.</translation>
    </message>
    <message>
        <source>This computer&apos;s clock is {} minutes fast; set it, or it is soon too far off.</source>
        <translation>Die Uhr dieses Computers geht {} Minuten vor; stell sie, sonst geht sie bald zu falsch.</translation>
    </message>
    <message>
        <source>The meeting point at {} does not hand on what you share; it is left out for a while.</source>
        <translation>Der Treffpunkt {} gibt nicht weiter, was du teilst; er wird eine Weile ausgelassen.</translation>
    </message>
    <message>
        <source>Something else answers at {}, not the meeting point that the invite names. Nothing was sent there; ask for a new invite.</source>
        <translation>Bei {} antwortet etwas anderes, nicht der Treffpunkt, den die Einladung nennt. Nichts wurde dorthin geschickt; bitte um eine neue Einladung.</translation>
    </message>
    <message>
        <source>What answers at {} is no meeting point. Check the address; practising alone meanwhile.</source>
        <translation>Was bei {} antwortet, ist kein Treffpunkt. Prüf die Adresse; inzwischen übt es allein.</translation>
    </message>
    <message>
        <source>The meeting point at {} is of another release. Update Waggle; if it is up to date, the meeting point has to be. Practising alone meanwhile.</source>
        <translation>Der Treffpunkt {} ist von einer anderen Version. Aktualisiere Waggle; ist es schon aktuell, muss der Treffpunkt aktualisiert werden. Inzwischen übt es allein.</translation>
    </message>
    <message>
        <source>The meeting point at {} cannot be reached; practising alone and trying again.</source>
        <translation>Der Treffpunkt {} ist nicht zu erreichen; es übt allein und versucht es weiter.</translation>
    </message>
    <message>
        <source>Practising with 1 other.</source>
        <translation>Übt mit 1 anderen.</translation>
    </message>
    <message>
        <source>This computer&apos;s clock is {} minutes slow; set it, or it is soon too far off.</source>
        <translation>Die Uhr dieses Computers geht {} Minuten nach; stell sie, sonst geht sie bald zu falsch.</translation>
    </message>
    <message>
        <source>Practising alone and trying again.</source>
        <translation>Es übt allein und versucht es weiter.</translation>
    </message>
    <message>
        <source>waggle tasks lists those that there are.</source>
        <translation>waggle tasks zeigt, welche es gibt.</translation>
    </message>
    <message>
        <source>There is no task called {}. {}</source>
        <translation>Es gibt keine Aufgabe namens {}. {}</translation>
    </message>
    <message>
        <source>No kind of puzzle was chosen. Name at least one, or leave it out.</source>
        <translation>Keine Art von Rätseln wurde gewählt. Nenne mindestens eine, oder lass die Angabe weg.</translation>
    </message>
    <message>
        <source>Task {} has no level {}. Choose one from 1 to {}.</source>
        <translation>Die Aufgabe {} hat keine Stufe {}. Wähle eine von 1 bis {}.</translation>
    </message>
    <message>
        <source>The list of puzzles {} cannot be read ({}). Install Waggle again.</source>
        <translation>Die Liste der Rätsel {} kann nicht gelesen werden ({}). Installiere Waggle neu.</translation>
    </message>
    <message>
        <source>No task was chosen. Name at least one, or leave the list out.</source>
        <translation>Keine Aufgabe wurde gewählt. Nenne mindestens eine, oder lass die Liste weg.</translation>
    </message>
    <message>
        <source>no network</source>
        <translation>kein Netz</translation>
    </message>
    <message>
        <source>no access to files</source>
        <translation>kein Zugriff auf Dateien</translation>
    </message>
    <message>
        <source>cannot start programs</source>
        <translation>startet keine Programme</translation>
    </message>
    <message>
        <source>cannot multiply</source>
        <translation>vermehrt sich nicht</translation>
    </message>
    <message>
        <source>cannot open anything new</source>
        <translation>öffnet nichts Neues</translation>
    </message>
    <message>
        <source>cannot write files</source>
        <translation>schreibt keine Dateien</translation>
    </message>
    <message>
        <source>memory limit {} GB</source>
        <translation>höchstens {} GB Arbeitsspeicher</translation>
    </message>
    <message>
        <source>processor time limit {} minutes</source>
        <translation>höchstens {} Minuten Rechenzeit</translation>
    </message>
    <message>
        <source>leaves no memory dumps</source>
        <translation>hinterlässt keine Speicherabbilder</translation>
    </message>
    <message>
        <source>ends with Waggle</source>
        <translation>endet mit Waggle</translation>
    </message>
    <message>
        <source>{} ({})</source>
        <translation>{} ({})</translation>
    </message>
    <message>
        <source>not available on this system</source>
        <translation>auf diesem System nicht zu haben</translation>
    </message>
    <message>
        <source>{} of {} answers can never be right as {}. Choose another way to compare.</source>
        <translation>{} von {} Antworten können als {} nie richtig sein. Wähle eine andere Art zu vergleichen.</translation>
    </message>
    <message>
        <source>The question “{}” stands there with different answers. Keep one of them, or accept all in one row.</source>
        <translation>Die Frage „{}“ steht mit verschiedenen Antworten da. Behalte eine davon, oder lass in einer Zeile alle gelten.</translation>
    </message>
    <message>
        <source>In {} of {} questions the answer stands in the question. If that is not meant, write them differently.</source>
        <translation>Bei {} von {} Fragen steht die Antwort in der Frage. Wenn das nicht so gemeint ist, schreib sie anders.</translation>
    </message>
    <message>
        <source>At level {}, an answer that a template makes can never be right as {}. Choose another way to compare, or a condition.</source>
        <translation>Auf Stufe {} kann eine Antwort, die eine Vorlage bildet, als {} nie richtig sein. Wähle eine andere Art zu vergleichen oder eine Bedingung.</translation>
    </message>
    <message>
        <source>At level {}, a template hardly ever finds values that it may ask for. Ease its condition.</source>
        <translation>Auf Stufe {} findet eine Vorlage kaum je Werte, nach denen sie fragen darf. Lockere ihre Bedingung.</translation>
    </message>
    <message>
        <source>At level {}, always answering “{}” is right in {}. A model will learn that: add questions with other answers.</source>
        <translation>Auf Stufe {} ist es zu einem großen Teil richtig, immer „{}“ zu antworten: {}. Ein Modell wird das lernen: Füge Fragen mit anderen Antworten hinzu.</translation>
    </message>
    <message>
        <source>Level {} has only {} different questions: too few to tell learning from remembering. Add more.</source>
        <translation>Stufe {} hat nur {} verschiedene Fragen: zu wenige, um Lernen von Auswendiglernen zu unterscheiden. Füge weitere hinzu.</translation>
    </message>
    <message>
        <source>At level {}, repeating the question is right: “{}”.</source>
        <translation>Auf Stufe {} ist es richtig, die Frage zu wiederholen: „{}“.</translation>
    </message>
    <message>
        <source>The judge of answers gets no temporary folder ({}). Free some space on the disk and start again.</source>
        <translation>Die Prüfung der Antworten bekommt keinen Ordner für Zwischenablagen ({}). Schaff etwas Platz auf dem Datenträger und starte noch einmal.</translation>
    </message>
    <message>
        <source>The judge of answers cannot be started ({}). Close other programs, or restart the computer.</source>
        <translation>Die Prüfung der Antworten kann nicht gestartet werden ({}). Schließ andere Programme, oder starte den Computer neu.</translation>
    </message>
    <message>
        <source>Task {} has no puzzle at level {} with seed {}. Choose another seed.</source>
        <translation>Die Aufgabe {} hat kein Rätsel auf Stufe {} mit dem Startwert {}. Wähle einen anderen Startwert.</translation>
    </message>
    <message>
        <source>Waggle&apos;s puzzles need reasoning-gym {}, but here is {}. Install it with: pip install &quot;reasoning-gym=={}&quot;</source>
        <translation>Die Rätsel von Waggle brauchen reasoning-gym {}, aber hier ist {}. Installiere es mit: pip install &quot;reasoning-gym=={}&quot;</translation>
    </message>
    <message>
        <source>The judge of answers cannot start ({}). Install Waggle again.</source>
        <translation>Die Prüfung der Antworten kann nicht beginnen ({}). Installiere Waggle neu.</translation>
    </message>
    <message>
        <source>Puzzle {} of seed {} of task {}, level {}, cannot be made. Choose another task, and report this.</source>
        <translation>Das Rätsel {} mit dem Startwert {} der Aufgabe {}, Stufe {}, kann nicht gemacht werden. Wähle eine andere Aufgabe, und melde das.</translation>
    </message>
    <message>
        <source>The judge of answers was closed. Start Waggle again.</source>
        <translation>Die Prüfung der Antworten wurde geschlossen. Starte Waggle noch einmal.</translation>
    </message>
    <message>
        <source>The judge of answers ended {} times without a word. Restart the computer; if that does not help, install Waggle again.</source>
        <translation>Die Prüfung der Antworten endete {} Mal ohne ein Wort. Starte den Computer neu; wenn das nicht hilft, installiere Waggle neu.</translation>
    </message>
    <message>
        <source>the update</source>
        <translation>die Aktualisierung</translation>
    </message>
    <message>
        <source>{} is no longer offered. Look for updates again.</source>
        <translation>{} wird nicht mehr angeboten. Such noch einmal nach Aktualisierungen.</translation>
    </message>
    <message>
        <source>The update source has not been renewed in time, so nobody vouches for it now; or the date of this computer is wrong. Nothing was changed; look again later.</source>
        <translation>Die Quelle der Aktualisierungen wurde nicht rechtzeitig erneuert, darum bürgt jetzt niemand für sie; oder das Datum dieses Computers ist falsch. Nichts wurde geändert; sieh später noch einmal nach.</translation>
    </message>
    <message>
        <source>What came is not what the makers of Waggle signed, and was thrown away. Nothing was changed; look again later.</source>
        <translation>Was ankam, ist nicht das, was die Macher von Waggle unterschrieben haben, und wurde weggeworfen. Nichts wurde geändert; sieh später noch einmal nach.</translation>
    </message>
    <message>
        <source>What the update source says is not signed by the makers of Waggle, or is older than what it said before. Nothing was changed; look again later.</source>
        <translation>Was die Quelle der Aktualisierungen sagt, ist nicht von den Machern von Waggle unterschrieben oder älter als das, was sie vorher sagte. Nichts wurde geändert; sieh später noch einmal nach.</translation>
    </message>
    <message>
        <source>The update source cannot be reached. Nothing was changed; look again later.</source>
        <translation>Die Quelle der Aktualisierungen ist nicht zu erreichen. Nichts wurde geändert; sieh später noch einmal nach.</translation>
    </message>
    <message>
        <source>What this Waggle knows about its update source is damaged. Install the newest release anew; everything that you have here stays.</source>
        <translation>Was dieses Waggle über seine Quelle der Aktualisierungen weiß, ist beschädigt. Installiere die neueste Version neu; alles, was du hier hast, bleibt.</translation>
    </message>
    <message>
        <source>{} is in the way: Waggle needs that name while it updates itself. Rename it, then try again.</source>
        <translation>{} ist im Weg: Waggle braucht diesen Namen, während es sich aktualisiert. Benenne es um, dann versuch es noch einmal.</translation>
    </message>
    <message>
        <source>The update is not packed as Waggle is. Nothing was changed; tell its makers.</source>
        <translation>Die Aktualisierung ist nicht so gepackt wie Waggle. Nichts wurde geändert; sag es den Machern.</translation>
    </message>
    <message>
        <source>Waggle {} could not be tried out just now. Try again later.</source>
        <translation>Waggle {} konnte gerade nicht ausprobiert werden. Versuch es später noch einmal.</translation>
    </message>
    <message>
        <source>Waggle {} does not run on this computer, so it was thrown away. The one that you have stays.</source>
        <translation>Waggle {} läuft auf diesem Computer nicht und wurde weggeworfen. Das, was du hast, bleibt.</translation>
    </message>
    <message>
        <source>The update was not unpacked: {}. Nothing was changed; tell the makers of Waggle.</source>
        <translation>Die Aktualisierung wurde nicht ausgepackt: {}. Nichts wurde geändert; sag es den Machern von Waggle.</translation>
    </message>
    <message>
        <source>it holds a name that leads out</source>
        <translation>sie enthält einen Namen, der hinausführt</translation>
    </message>
    <message>
        <source>it is larger than a Waggle may be</source>
        <translation>sie ist größer, als ein Waggle sein darf</translation>
    </message>
    <message>
        <source>it names {} twice</source>
        <translation>sie nennt {} zweimal</translation>
    </message>
    <message>
        <source>it holds a name that is none</source>
        <translation>sie enthält einen Namen, der keiner ist</translation>
    </message>
    <message>
        <source>it is damaged</source>
        <translation>sie ist beschädigt</translation>
    </message>
    <message>
        <source>{} is neither file nor folder</source>
        <translation>{} ist weder Datei noch Ordner</translation>
    </message>
    <message>
        <source>{} is no folder</source>
        <translation>{} ist kein Ordner</translation>
    </message>
    <message>
        <source>the link {} leads out</source>
        <translation>der Verweis {} führt hinaus</translation>
    </message>
    <message>
        <source>Waggle does not update itself here. Update it as you installed it.</source>
        <translation>Waggle aktualisiert sich hier nicht selbst. Aktualisiere es so, wie du es installiert hast.</translation>
    </message>
    <message>
        <source>Waggle {} is the newest. There is nothing to do.</source>
        <translation>Waggle {} ist das neueste. Es gibt nichts zu tun.</translation>
    </message>
    <message>
        <source>The identity of this node, {}, is damaged. Put a backup in its place, or delete it to start as somebody new.</source>
        <translation>Die Identität dieses Knotens, {}, ist beschädigt. Leg eine Sicherung an ihre Stelle, oder lösche sie, um als jemand Neues zu beginnen.</translation>
    </message>
    <message>
        <source>This invite was cut or mistyped. Copy all of it, from waggle:// to the end.</source>
        <translation>Diese Einladung wurde abgeschnitten oder falsch abgeschrieben. Kopiere sie ganz, von waggle:// bis zum Ende.</translation>
    </message>
    <message>
        <source>The invite is too long for a link. Name fewer meeting points.</source>
        <translation>Die Einladung ist zu lang für einen Link. Nenne weniger Treffpunkte.</translation>
    </message>
    <message>
        <source>This is no invite. One begins with {}; copy all of it.</source>
        <translation>Das ist keine Einladung. Eine beginnt mit {}; kopiere sie ganz.</translation>
    </message>
    <message>
        <source>This makes no invite ({}). Choose another name or address.</source>
        <translation>Daraus wird keine Einladung ({}). Wähle einen anderen Namen oder eine andere Adresse.</translation>
    </message>
    <message>
        <source>This invite cannot be read by this release. Update Waggle, or ask for a new one.</source>
        <translation>Diese Einladung kann diese Version nicht lesen. Aktualisiere Waggle, oder bitte um eine neue.</translation>
    </message>
    <message>
        <source>{} is no name of a swarm. Use up to 40 small letters, digits and hyphens, such as meadow, or an invite that begins with {}.</source>
        <translation>{} ist kein Name eines Schwarms. Nimm bis zu 40 kleine Buchstaben, Ziffern und Bindestriche, wie bei meadow, oder eine Einladung, die mit {} beginnt.</translation>
    </message>
    <message>
        <source>Something did not work.</source>
        <translation>Etwas hat nicht geklappt.</translation>
    </message>
    <message>
        <source>That cannot be done this way.</source>
        <translation>So geht das nicht.</translation>
    </message>
    <message>
        <source>The deck cannot be used like this.</source>
        <translation>So ist der Kartensatz nicht zu gebrauchen.</translation>
    </message>
    <message>
        <source>There is no such model.</source>
        <translation>So ein Modell gibt es nicht.</translation>
    </message>
    <message>
        <source>There is no such puzzle.</source>
        <translation>So ein Rätsel gibt es nicht.</translation>
    </message>
    <message>
        <source>The settings cannot be read.</source>
        <translation>Die Einstellungen können nicht gelesen werden.</translation>
    </message>
    <message>
        <source>A file or folder cannot be used.</source>
        <translation>Eine Datei oder ein Ordner kann nicht benutzt werden.</translation>
    </message>
    <message>
        <source>Waggle is at work on that right now.</source>
        <translation>Waggle arbeitet gerade daran.</translation>
    </message>
    <message>
        <source>The disk is full.</source>
        <translation>Der Datenträger ist voll.</translation>
    </message>
    <message>
        <source>The model cannot be used as it is.</source>
        <translation>Das Modell kann so nicht benutzt werden.</translation>
    </message>
    <message>
        <source>It took too long; try again when less is going on.</source>
        <translation>Das dauerte zu lange; versuch es noch einmal, wenn weniger los ist.</translation>
    </message>
    <message>
        <source>There is too little memory.</source>
        <translation>Es ist zu wenig Arbeitsspeicher da.</translation>
    </message>
    <message>
        <source>What was learnt cannot be read.</source>
        <translation>Das Gelernte kann nicht gelesen werden.</translation>
    </message>
    <message>
        <source>The puzzles installed here are other ones.</source>
        <translation>Die Rätsel, die hier installiert sind, sind andere.</translation>
    </message>
    <message>
        <source>Answers cannot be checked.</source>
        <translation>Antworten können nicht geprüft werden.</translation>
    </message>
    <message>
        <source>A puzzle cannot be made.</source>
        <translation>Ein Rätsel lässt sich nicht erstellen.</translation>
    </message>
    <message>
        <source>Something was sent that breaks the rules.</source>
        <translation>Etwas kam an, das gegen die Regeln ist.</translation>
    </message>
    <message>
        <source>An experiment cannot go on.</source>
        <translation>Ein Experiment kann nicht weitergehen.</translation>
    </message>
    <message>
        <source>The newer release cannot be had.</source>
        <translation>Die neuere Version ist nicht zu haben.</translation>
    </message>
    <message>
        <source>The swarm or the network does not play along.</source>
        <translation>Der Schwarm oder das Netz macht nicht mit.</translation>
    </message>
    <message>
        <source>The list of models {} is empty. Install Waggle again.</source>
        <translation>Die Liste der Modelle {} ist leer. Installiere Waggle neu.</translation>
    </message>
    <message>
        <source>What {} sent is not the deck of this swarm. Name another meeting point.</source>
        <translation>Was {} geschickt hat, ist nicht der Kartensatz dieses Schwarms. Nenne einen anderen Treffpunkt.</translation>
    </message>
    <message>
        <source>The meeting point {} is of another release, which keeps no decks. Ask whoever runs it to update Waggle, or name another one.</source>
        <translation>Der Treffpunkt {} ist von einer anderen Version, die keine Kartensätze aufhebt. Bitte, wer ihn betreibt, Waggle zu aktualisieren, oder nenne einen anderen.</translation>
    </message>
    <message>
        <source>The meeting point {} would not serve ({}). Ask whoever runs it, or name another one.</source>
        <translation>Der Treffpunkt {} lehnte ab ({}). Frag, wer ihn betreibt, oder nenne einen anderen.</translation>
    </message>
    <message>
        <source>Nobody keeps a deck of this swarm any more. Ask whoever invited you to start Waggle once, then try again.</source>
        <translation>Einen Kartensatz dieses Schwarms hebt niemand mehr auf. Bitte, wer dich eingeladen hat, Waggle einmal zu starten, und versuch es dann noch einmal.</translation>
    </message>
    <message>
        <source>The meeting point {} does not have this deck.</source>
        <translation>Der Treffpunkt {} hat diesen Kartensatz nicht.</translation>
    </message>
    <message>
        <source>The meeting point {} keeps no more decks for this swarm. Use fewer or smaller ones, or another meeting point.</source>
        <translation>Der Treffpunkt {} hebt für diesen Schwarm keine weiteren Kartensätze auf. Nimm weniger oder kleinere, oder einen anderen Treffpunkt.</translation>
    </message>
    <message>
        <source>The meeting point {} takes no deck of this size. Whoever runs it has to let requests of {} MB through.</source>
        <translation>Der Treffpunkt {} nimmt keinen Kartensatz dieser Größe. Wer ihn betreibt, muss Anfragen von {} MB durchlassen.</translation>
    </message>
    <message>
        <source>The meeting point {} is busy. Try again in some minutes.</source>
        <translation>Der Treffpunkt {} ist beschäftigt. Versuch es in einigen Minuten wieder.</translation>
    </message>
    <message>
        <source>The meeting point {} does not answer. Check its address and this computer&apos;s connection, or try again later.</source>
        <translation>Der Treffpunkt {} antwortet nicht. Prüf seine Adresse und die Verbindung dieses Computers, oder versuch es später wieder.</translation>
    </message>
    <message>
        <source>An invite names at most {} decks. Leave some out.</source>
        <translation>Eine Einladung nennt höchstens {} Kartensätze. Lass einige weg.</translation>
    </message>
</context>
<context>
    <name>DataCard</name>
    <message>
        <source>What is kept here</source>
        <translation>Was hier aufbewahrt wird</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Wird nachgesehen…</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Ordner öffnen</translation>
    </message>
</context>
<context>
    <name>DaysCard</name>
    <message>
        <source>Practice per day</source>
        <translation>Üben pro Tag</translation>
    </message>
    <message>
        <source>Month</source>
        <translation>Monat</translation>
    </message>
    <message>
        <source>3 months</source>
        <translation>3 Monate</translation>
    </message>
    <message>
        <source>Year</source>
        <translation>Jahr</translation>
    </message>
    <message>
        <source>Show: {}</source>
        <translation>Zeigen: {}</translation>
    </message>
</context>
<context>
    <name>DeckCard</name>
    <message>
        <source>Practise {}</source>
        <translation>{} üben</translation>
    </message>
    <message>
        <source>Practise only this</source>
        <translation>Nur das üben</translation>
    </message>
    <message>
        <source>Share with others…</source>
        <translation>Mit anderen teilen…</translation>
    </message>
    <message>
        <source>Look at ten questions</source>
        <translation>Zehn Fragen ansehen</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>Entfernen…</translation>
    </message>
    <message>
        <source>Leave it</source>
        <translation>So lassen</translation>
    </message>
    <message>
        <source>Save to a file…</source>
        <translation>In eine Datei speichern…</translation>
    </message>
    <message>
        <source>Hide the questions</source>
        <translation>Fragen ausblenden</translation>
    </message>
    <message>
        <source>Remove “{}” from this computer? What was learnt from it stays.</source>
        <translation>„{}“ von diesem Computer entfernen? Was daraus gelernt wurde, bleibt.</translation>
    </message>
    <message>
        <source>Yes, remove it</source>
        <translation>Ja, entfernen</translation>
    </message>
</context>
<context>
    <name>DeckFields</name>
    <message>
        <source>Author</source>
        <translation>Wer ihn gemacht hat</translation>
    </message>
    <message>
        <source>Name of the deck</source>
        <translation>Name des Kartensatzes</translation>
    </message>
    <message>
        <source>Language, such as en or de-AT</source>
        <translation>Sprache, etwa en oder de-AT</translation>
    </message>
    <message>
        <source>Licence, such as CC0-1.0</source>
        <translation>Lizenz, etwa CC0-1.0</translation>
    </message>
    <message>
        <source>How answers are compared</source>
        <translation>Wie Antworten verglichen werden</translation>
    </message>
    <message>
        <source>How far off a decimal may be</source>
        <translation>Wie weit eine Dezimalzahl abweichen darf</translation>
    </message>
    <message>
        <source>The first row names the columns</source>
        <translation>Die erste Zeile benennt die Spalten</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Column {}</source>
        <translation>Spalte {}</translation>
    </message>
    <message>
        <source>Which column is which</source>
        <translation>Welche Spalte was enthält</translation>
    </message>
    <message>
        <source>About the deck</source>
        <translation>Über den Kartensatz</translation>
    </message>
</context>
<context>
    <name>DeckForm</name>
    <message>
        <source>Puzzles of your own</source>
        <translation>Eigene Rätsel</translation>
    </message>
    <message>
        <source>Choose another file…</source>
        <translation>Andere Datei wählen…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Noch einmal nachsehen</translation>
    </message>
    <message>
        <source>Worth knowing</source>
        <translation>Gut zu wissen</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen…</translation>
    </message>
    <message>
        <source>Looking at it again…</source>
        <translation>Wird noch einmal angesehen…</translation>
    </message>
    <message>
        <source>Keeping it…</source>
        <translation>Wird aufbewahrt…</translation>
    </message>
    <message>
        <source>That was ended; nothing was kept.</source>
        <translation>Das wurde beendet; nichts wurde aufbewahrt.</translation>
    </message>
    <message>
        <source>The file is being read</source>
        <translation>Die Datei wird gelesen</translation>
    </message>
</context>
<context>
    <name>DeckRowsModel</name>
    <message>
        <source>Row</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>What is wrong</source>
        <translation>Was nicht stimmt</translation>
    </message>
</context>
<context>
    <name>DeckRowsTable</name>
    <message>
        <source>Rows of the table</source>
        <translation>Zeilen der Tabelle</translation>
    </message>
</context>
<context>
    <name>DeckTrialBox</name>
    <message>
        <source>How does my model do?</source>
        <translation>Wie schlägt sich mein Modell?</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>How far the trial is</source>
        <translation>Wie weit die Probe ist</translation>
    </message>
    <message>
        <source>Waking the model up…</source>
        <translation>Das Modell wird geweckt…</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Wird angehalten…</translation>
    </message>
    <message>
        <source>Trying questions: {} to go…</source>
        <translation>Fragen werden versucht: noch {}…</translation>
    </message>
    <message>
        <source>The trial was ended.</source>
        <translation>Die Probe wurde beendet.</translation>
    </message>
</context>
<context>
    <name>Dots</name>
    <message>
        <source>Step {step} of {count}</source>
        <translation>Schritt {step} von {count}</translation>
    </message>
</context>
<context>
    <name>EnergyCard</name>
    <message>
        <source>Electricity</source>
        <translation>Strom</translation>
    </message>
</context>
<context>
    <name>ExamChart</name>
    <message>
        <source>before</source>
        <translation>vorher</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
</context>
<context>
    <name>ExamView</name>
    <message>
        <source>Take the exam</source>
        <translation>Prüfung ablegen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>What has {} learnt?</source>
        <translation>Was hat {} gelernt?</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Wird angehalten…</translation>
    </message>
    <message>
        <source>The exam is over. Choose this model to see it.</source>
        <translation>Die Prüfung ist vorbei. Wähle dieses Modell, um sie zu sehen.</translation>
    </message>
    <message>
        <source>The exam was ended; nothing of it is kept.</source>
        <translation>Die Prüfung wurde beendet; nichts davon wird aufbewahrt.</translation>
    </message>
    <message>
        <source>Getting ready…</source>
        <translation>Wird vorbereitet…</translation>
    </message>
    <message>
        <source>Kind by kind</source>
        <translation>Art für Art</translation>
    </message>
    <message>
        <source>A single kind proves little.</source>
        <translation>Eine einzelne Art beweist wenig.</translation>
    </message>
    <message>
        <source>What came of the last exam will stand here: what practice has brought, kind by kind, and how sure that is.</source>
        <translation>Hier wird stehen, was die letzte Prüfung ergab: was das Üben gebracht hat, Art für Art, und wie sicher das ist.</translation>
    </message>
    <message>
        <source>How many puzzles</source>
        <translation>Wie viele Rätsel</translation>
    </message>
    <message>
        <source>Quick: {} puzzles</source>
        <translation>Schnell: {} Rätsel</translation>
    </message>
    <message>
        <source>Short: {} puzzles</source>
        <translation>Kurz: {} Rätsel</translation>
    </message>
    <message>
        <source>Usual: {} puzzles</source>
        <translation>Üblich: {} Rätsel</translation>
    </message>
    <message>
        <source>Thorough: {} puzzles</source>
        <translation>Gründlich: {} Rätsel</translation>
    </message>
    <message>
        <source>How far the exam is</source>
        <translation>Wie weit die Prüfung ist</translation>
    </message>
    <message>
        <source>The exam asks puzzles of what is practised, at every level, that were kept out of practice: the same for everyone, and of a small deck all there are. Each is asked eight times: first of the model as it is now, then as it was before any practice. Practice may go on meanwhile.</source>
        <translation>Die Prüfung stellt Rätsel von dem, was geübt wird, aller Stufen, die vom Üben ausgenommen waren: für alle dieselben, und von einem kleinen Kartensatz alle, die es gibt. Jedes wird achtmal gestellt: erst dem Modell, wie es jetzt ist, dann dem, wie es vor allem Üben war. Währenddessen kann weiter geübt werden.</translation>
    </message>
    <message>
        <source>Exam</source>
        <translation>Prüfung</translation>
    </message>
</context>
<context>
    <name>ExportCard</name>
    <message>
        <source>Save as table…</source>
        <translation>Als Tabelle speichern…</translation>
    </message>
    <message>
        <source>Make a picture…</source>
        <translation>Bild erstellen…</translation>
    </message>
    <message>
        <source>Take it along: all days as a table, or the key figures as a picture.</source>
        <translation>Nimm es mit: alle Tage als Tabelle, oder die Kennzahlen als Bild.</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>Tabelle (*.csv)</translation>
    </message>
    <message>
        <source>Save as table</source>
        <translation>Als Tabelle speichern</translation>
    </message>
    <message>
        <source>Key figures and your made-up name, nothing else. It leaves this computer only if you send it.</source>
        <translation>Kennzahlen und dein erfundener Name, sonst nichts. Es verlässt diesen Computer nur, wenn du es verschickst.</translation>
    </message>
</context>
<context>
    <name>Figures</name>
    <message>
        <source>{} GB</source>
        <translation>{} GB</translation>
    </message>
    <message>
        <source>{} MB</source>
        <translation>{} MB</translation>
    </message>
    <message>
        <source>{} kB</source>
        <translation>{} kB</translation>
    </message>
    <message>
        <source>{} hundred million</source>
        <comment>said in Chinese only</comment>
        <translation>{} hundert Millionen</translation>
    </message>
    <message>
        <source>{} ten thousand</source>
        <comment>said in Chinese only</comment>
        <translation>{} zehntausend</translation>
    </message>
    <message>
        <source>1 billion</source>
        <translation>1 Milliarde</translation>
    </message>
    <message>
        <source>{} billion</source>
        <translation>{} Milliarden</translation>
    </message>
    <message>
        <source>{} million</source>
        <translation>{} Millionen</translation>
    </message>
    <message>
        <source>1 million</source>
        <translation>1 Million</translation>
    </message>
</context>
<context>
    <name>Findings</name>
    <message>
        <source>works</source>
        <translation>funktioniert</translation>
    </message>
    <message>
        <source>does not work, and is not needed</source>
        <translation>funktioniert nicht, und wird nicht gebraucht</translation>
    </message>
    <message>
        <source>needs you</source>
        <translation>braucht dich</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Computer</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Arbeitsspeicher</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Festplatte</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>This node&apos;s identity</source>
        <translation>Die Identität dieses Knotens</translation>
    </message>
    <message>
        <source>The record of rounds</source>
        <translation>Die Aufzeichnung der Runden</translation>
    </message>
    <message>
        <source>Trying puzzles</source>
        <translation>Rätsel versuchen</translation>
    </message>
    <message>
        <source>Graphics card</source>
        <translation>Grafikkarte</translation>
    </message>
    <message>
        <source>Checking answers safely</source>
        <translation>Antworten sicher prüfen</translation>
    </message>
    <message>
        <source>Others on this network</source>
        <translation>Andere in diesem Netz</translation>
    </message>
    <message>
        <source>Being asked by others</source>
        <translation>Von anderen gefragt werden</translation>
    </message>
    <message>
        <source>Meeting points</source>
        <translation>Treffpunkte</translation>
    </message>
    <message>
        <source>Swarm</source>
        <translation>Schwarm</translation>
    </message>
    <message>
        <source>Meeting point</source>
        <translation>Treffpunkt</translation>
    </message>
    <message>
        <source>Others on the internet</source>
        <translation>Andere im Internet</translation>
    </message>
    <message>
        <source>Battery</source>
        <translation>Akku</translation>
    </message>
    <message>
        <source>Whether you use the computer</source>
        <translation>Ob du den Computer benutzt</translation>
    </message>
    <message>
        <source>How busy other programs are</source>
        <translation>Wie beschäftigt andere Programme sind</translation>
    </message>
    <message>
        <source>How busy the graphics card is</source>
        <translation>Wie ausgelastet die Grafikkarte ist</translation>
    </message>
    <message>
        <source>Heat</source>
        <translation>Hitze</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>Vollbild</translation>
    </message>
    <message>
        <source>Programs that run</source>
        <translation>Laufende Programme</translation>
    </message>
    <message>
        <source>This computer can practise.</source>
        <translation>Dieser Computer kann üben.</translation>
    </message>
    <message>
        <source>One thing keeps this computer from practising.</source>
        <translation>Eine Sache hindert diesen Computer am Üben.</translation>
    </message>
    <message>
        <source>{count} things keep this computer from practising.</source>
        <translation>{count} Dinge hindern diesen Computer am Üben.</translation>
    </message>
</context>
<context>
    <name>FindingsCard</name>
    <message>
        <source>What works here</source>
        <translation>Was hier funktioniert</translation>
    </message>
    <message>
        <source>Not looked yet.</source>
        <translation>Noch nicht nachgesehen.</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Noch einmal nachsehen</translation>
    </message>
    <message>
        <source>Looking at everything; this takes a few seconds…</source>
        <translation>Alles wird angesehen; das dauert einige Sekunden…</translation>
    </message>
</context>
<context>
    <name>FoundCard</name>
    <message>
        <source>Start a swarm of your own</source>
        <translation>Einen eigenen Schwarm gründen</translation>
    </message>
    <message>
        <source>Practise what is built in instead</source>
        <translation>Stattdessen Eingebautes üben</translation>
    </message>
    <message>
        <source>Its name</source>
        <translation>Sein Name</translation>
    </message>
    <message>
        <source>our-class</source>
        <translation>unsere-klasse</translation>
    </message>
    <message>
        <source>Private: by invite only</source>
        <translation>Privat: nur mit Einladung</translation>
    </message>
    <message>
        <source>Open to anybody</source>
        <translation>Offen für alle</translation>
    </message>
    <message>
        <source>Meeting points, if there are any; a space between them</source>
        <translation>Treffpunkte, wenn es welche gibt; ein Leerzeichen dazwischen</translation>
    </message>
    <message>
        <source>https://hub.example.org</source>
        <translation>https://hub.example.org</translation>
    </message>
    <message>
        <source>Puzzles of your own are handed on by a meeting point. Name one here, or open one on this computer: see “Host a meeting point” on this page.</source>
        <translation>Eigene Rätsel werden über einen Treffpunkt weitergegeben. Nenne hier einen, oder öffne einen auf diesem Computer: siehe „Einen Treffpunkt anbieten“ auf dieser Seite.</translation>
    </message>
    <message>
        <source>Join it now, too</source>
        <translation>Gleich selbst beitreten</translation>
    </message>
    <message>
        <source>Make the invite</source>
        <translation>Einladung erstellen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Give it a name first, such as our-class.</source>
        <translation>Gib ihm zuerst einen Namen, etwa our-class.</translation>
    </message>
    <message>
        <source>An invite names up to {} meeting points.</source>
        <translation>Eine Einladung nennt höchstens {} Treffpunkte.</translation>
    </message>
    <message>
        <source>No meeting point has so long an address. Look what was pasted there.</source>
        <translation>Kein Treffpunkt hat eine so lange Adresse. Sieh nach, was dort eingefügt wurde.</translation>
    </message>
    <message>
        <source>Name a meeting point first.</source>
        <translation>Nenne zuerst einen Treffpunkt.</translation>
    </message>
    <message>
        <source>Leaving the puzzles at meeting point {number} of {all}…</source>
        <translation>Die Rätsel werden bei Treffpunkt {number} von {all} hinterlegt…</translation>
    </message>
    <message>
        <source>That was ended; there is no invite.</source>
        <translation>Das wurde beendet; es gibt keine Einladung.</translation>
    </message>
    <message>
        <source>It practises “{}” and nothing else.</source>
        <translation>Er übt „{}“ und nichts anderes.</translation>
    </message>
    <message>
        <source>How far the puzzles are on their way</source>
        <translation>Wie weit die Rätsel unterwegs sind</translation>
    </message>
</context>
<context>
    <name>HelperClient</name>
    <message>
        <source>The helper of this window gave an answer that makes no sense. Try again.</source>
        <translation>Der Helfer dieses Fensters gab eine Antwort, die keinen Sinn ergibt. Versuch es noch einmal.</translation>
    </message>
    <message>
        <source>The helper of this window ended before it was done. Try again.</source>
        <translation>Der Helfer dieses Fensters endete, bevor er fertig war. Versuch es noch einmal.</translation>
    </message>
</context>
<context>
    <name>Home</name>
    <message>
        <source>Train a small language model, together.</source>
        <translation>Trainiere mit anderen ein kleines Sprachmodell.</translation>
    </message>
    <message>
        <source>Getting {} ready.</source>
        <translation>{} wird vorbereitet.</translation>
    </message>
    <message>
        <source>Choose a model and join. It practises puzzles, and you watch how it does.</source>
        <translation>Wähle ein Modell und tritt bei. Es übt Rätsel, und du siehst zu, wie es vorankommt.</translation>
    </message>
    <message>
        <source>What it learnt here before comes back with it.</source>
        <translation>Was es hier schon gelernt hat, kommt mit ihm zurück.</translation>
    </message>
    <message>
        <source>Last practised: {}.</source>
        <translation>Zuletzt geübt: {}.</translation>
    </message>
    <message>
        <source>Practice was interrupted too often.</source>
        <translation>Das Üben wurde zu oft unterbrochen.</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>Wird gesichert…</translation>
    </message>
    <message>
        <source>Not practising.</source>
        <translation>Es wird nicht geübt.</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Wird sofort beendet…</translation>
    </message>
    <message>
        <source>Going on…</source>
        <translation>Es geht weiter…</translation>
    </message>
    <message>
        <source>Then it will pause.</source>
        <translation>Dann wird es pausieren.</translation>
    </message>
    <message>
        <source>Then it will finish.</source>
        <translation>Dann wird es aufhören.</translation>
    </message>
    <message>
        <source>Practising: round {}.</source>
        <translation>Übt: Runde {}.</translation>
    </message>
    <message>
        <source>Looking for others…</source>
        <translation>Andere werden gesucht…</translation>
    </message>
    <message>
        <source>The swarm does not answer; practising alone.</source>
        <translation>Der Schwarm antwortet nicht; es übt allein.</translation>
    </message>
    <message>
        <source>Nobody else is here yet; practising alone.</source>
        <translation>Noch ist niemand sonst da; es übt allein.</translation>
    </message>
    <message>
        <source>1 other is here.</source>
        <translation>1 anderer ist da.</translation>
    </message>
    <message>
        <source>{} others are here.</source>
        <translation>{} andere sind da.</translation>
    </message>
    <message>
        <source>1 has learnt from your model&apos;s tries so far.</source>
        <translation>1 hat bisher aus den Versuchen deines Modells gelernt.</translation>
    </message>
    <message>
        <source>{} have learnt from your model&apos;s tries so far.</source>
        <translation>{} haben bisher aus den Versuchen deines Modells gelernt.</translation>
    </message>
    <message>
        <source>Practice stopped before its round was finished: {}. Everything up to the last finished round is safe.</source>
        <translation>Das Üben hat aufgehört, bevor die Runde fertig war: {}. Alles bis zur letzten fertigen Runde ist sicher.</translation>
    </message>
    <message>
        <source>The curve begins as soon as it is known what your model can do.</source>
        <translation>Die Kurve beginnt, sobald bekannt ist, was dein Modell kann.</translation>
    </message>
    <message>
        <source>Here you will see how your model does, next to the swarm.
Join, and it begins.</source>
        <translation>Hier wirst du sehen, wie es deinem Modell neben dem Schwarm ergeht.
Tritt bei, und es geht los.</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Pausing…</source>
        <translation>Pausiert gleich…</translation>
    </message>
    <message>
        <source>There is a newer Waggle: {}.</source>
        <translation>Es gibt ein neueres Waggle: {}.</translation>
    </message>
    <message>
        <source>Looking up how {} did…</source>
        <translation>Wie sich {} geschlagen hat, wird nachgesehen…</translation>
    </message>
    <message>
        <source>Practice was interrupted: {reason}. Starting again in {seconds}&#xa0;s.</source>
        <translation>Das Üben wurde unterbrochen: {reason}. Neuer Start in {seconds}&#xa0;s.</translation>
    </message>
    <message>
        <source>Practice stopped by itself several times in a row: {}. Everything up to the last finished round is safe.</source>
        <translation>Das Üben hat mehrmals hintereinander von selbst aufgehört: {}. Alles bis zur letzten fertigen Runde ist sicher.</translation>
    </message>
    <message>
        <source>{} has not got better for {} rounds, and practises level {} only. With automatic levels it goes on to harder puzzles.</source>
        <translation>{} ist seit {} Runden nicht besser geworden und übt nur Stufe {}. Mit automatischen Stufen geht es zu schwereren Rätseln weiter.</translation>
    </message>
    <message>
        <source>{} has not got better for {} rounds, and practises level {} only. With automatic levels it begins where it can learn.</source>
        <translation>{} ist seit {} Runden nicht besser geworden und übt nur Stufe {}. Mit automatischen Stufen beginnt es dort, wo es lernen kann.</translation>
    </message>
    <message>
        <source>Open Settings</source>
        <translation>Einstellungen öffnen</translation>
    </message>
    <message>
        <source>{} solves nearly all of these puzzles. Under Practice, Puzzles you can choose others or bring your own.</source>
        <translation>{} löst fast alle diese Rätsel. Unter Üben, Rätsel kannst du andere wählen oder eigene mitbringen.</translation>
    </message>
    <message>
        <source>Open Practice</source>
        <translation>Üben öffnen</translation>
    </message>
    <message>
        <source>{} has not got better for {} rounds. Other puzzles may have more to teach: under Practice, Puzzles you can choose some or bring your own.</source>
        <translation>{} ist seit {} Runden nicht besser geworden. Andere Rätsel können es vielleicht mehr lehren: Unter Üben, Rätsel kannst du welche wählen oder eigene mitbringen.</translation>
    </message>
    <message>
        <source>{} has not got better for {} rounds: it may have learnt what a model of its size can. A larger one has room for more.</source>
        <translation>{} ist seit {} Runden nicht besser geworden: Es hat wohl gelernt, was ein Modell dieser Größe kann. Ein größeres hat Platz für mehr.</translation>
    </message>
    <message>
        <source>So may practising together with others.</source>
        <translation>Auch gemeinsam mit anderen zu üben kann helfen.</translation>
    </message>
    <message>
        <source>See the models</source>
        <translation>Modelle ansehen</translation>
    </message>
    <message>
        <source>{} has not got better for {} rounds, and no larger model fits this computer. Practising together with others may help.</source>
        <translation>{} ist seit {} Runden nicht besser geworden, und kein größeres Modell passt auf diesen Computer. Gemeinsam mit anderen zu üben kann helfen.</translation>
    </message>
    <message>
        <source>Open Swarm</source>
        <translation>Schwarm öffnen</translation>
    </message>
    <message>
        <source>Go on anyway</source>
        <translation>Trotzdem weiter</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Finishing…</source>
        <translation>Wird beendet…</translation>
    </message>
    <message>
        <source>Finish round and stop</source>
        <translation>Runde beenden und aufhören</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Sofort beenden</translation>
    </message>
    <message>
        <source>Changed models: {} practised before.</source>
        <translation>Modell gewechselt: Vorher übte {}.</translation>
    </message>
    <message>
        <source>{} min</source>
        <translation>{} min</translation>
    </message>
    <message>
        <source>{} h</source>
        <translation>{} h</translation>
    </message>
    <message>
        <source>{} days</source>
        <translation>{} Tage</translation>
    </message>
    <message>
        <source>Round {}</source>
        <translation>Runde {}</translation>
    </message>
    <message>
        <source>your model {}</source>
        <translation>dein Modell {}</translation>
    </message>
    <message>
        <source>swarm {}</source>
        <translation>Schwarm {}</translation>
    </message>
    <message>
        <source>No practice for {}.</source>
        <translation>{} lang nicht geübt.</translation>
    </message>
    <message>
        <source>{} (average {})</source>
        <translation>{} (Schnitt {})</translation>
    </message>
</context>
<context>
    <name>HomePage</name>
    <message>
        <source>Open Updates</source>
        <translation>Aktualisierungen öffnen</translation>
    </message>
</context>
<context>
    <name>HostCard</name>
    <message>
        <source>Host a meeting point</source>
        <translation>Einen Treffpunkt anbieten</translation>
    </message>
    <message>
        <source>Open one on this computer</source>
        <translation>Auf diesem Computer einen öffnen</translation>
    </message>
    <message>
        <source>Invite others to it</source>
        <translation>Andere dorthin einladen</translation>
    </message>
    <message>
        <source>Meet others there, too</source>
        <translation>Andere auch dort treffen</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>Port</translation>
    </message>
    <message>
        <source>Its address from outside, if it has one</source>
        <translation>Seine Adresse von außen, wenn es eine gibt</translation>
    </message>
    <message>
        <source>https://hub.example.org</source>
        <translation>https://hub.example.org</translation>
    </message>
    <message>
        <source>Opening…</source>
        <translation>Wird geöffnet…</translation>
    </message>
    <message>
        <source>A port is a number from {} to {}.</source>
        <translation>Ein Port ist eine Zahl von {} bis {}.</translation>
    </message>
</context>
<context>
    <name>HubsCard</name>
    <message>
        <source>Meeting points</source>
        <translation>Treffpunkte</translation>
    </message>
</context>
<context>
    <name>IdentityCard</name>
    <message>
        <source>A made-up name: neither yours nor your computer&apos;s. The key behind it proves that your model&apos;s answers are yours. Keep a backup to be the same one on another computer.</source>
        <translation>Ein erfundener Name: weder deiner noch der deines Computers. Der Schlüssel dahinter beweist, dass die Antworten deines Modells von dir sind. Heb eine Sicherung auf, um auf einem anderen Computer derselbe zu sein.</translation>
    </message>
    <message>
        <source>Who you are to others</source>
        <translation>Wer du für andere bist</translation>
    </message>
    <message>
        <source>Back up…</source>
        <translation>Sichern…</translation>
    </message>
    <message>
        <source>Restore…</source>
        <translation>Wiederherstellen…</translation>
    </message>
    <message>
        <source>You get a name when you first join.</source>
        <translation>Einen Namen bekommst du, wenn du das erste Mal beitrittst.</translation>
    </message>
    <message>
        <source>Back up your identity</source>
        <translation>Deine Identität sichern</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>Wird geschrieben…</translation>
    </message>
    <message>
        <source>Restore an identity</source>
        <translation>Eine Identität wiederherstellen</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen…</translation>
    </message>
</context>
<context>
    <name>InlineQuestion</name>
    <message>
        <source>Leave it</source>
        <translation>So lassen</translation>
    </message>
</context>
<context>
    <name>InviteCard</name>
    <message>
        <source>The link of the invite</source>
        <translation>Der Link der Einladung</translation>
    </message>
    <message>
        <source>Copy the link</source>
        <translation>Link kopieren</translation>
    </message>
    <message>
        <source>The link is too long for a QR code that a camera could read.</source>
        <translation>Der Link ist zu lang für einen QR-Code, den eine Kamera lesen könnte.</translation>
    </message>
    <message>
        <source>Join it yourself</source>
        <translation>Selbst beitreten</translation>
    </message>
    <message>
        <source>Invite to {}</source>
        <translation>Einladung zu {}</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
</context>
<context>
    <name>JoinCard</name>
    <message>
        <source>Join another swarm</source>
        <translation>Einem anderen Schwarm beitreten</translation>
    </message>
    <message>
        <source>An invite, or the name of an open swarm</source>
        <translation>Eine Einladung, oder der Name eines offenen Schwarms</translation>
    </message>
    <message>
        <source>waggle://join/…</source>
        <translation>waggle://join/…</translation>
    </message>
    <message>
        <source>See what it says</source>
        <translation>Zeigen, was darin steht</translation>
    </message>
    <message>
        <source>Join this swarm</source>
        <translation>Diesem Schwarm beitreten</translation>
    </message>
    <message>
        <source>See its puzzles</source>
        <translation>Seine Rätsel ansehen</translation>
    </message>
</context>
<context>
    <name>JoinControls</name>
    <message>
        <source>Join swarm</source>
        <translation>Dem Schwarm beitreten</translation>
    </message>
    <message>
        <source>Choose your model</source>
        <translation>Wähle dein Modell</translation>
    </message>
    <message>
        <source>Works offline too. Stop whenever you like.</source>
        <translation>Geht auch ohne Internet. Hör auf, wann du willst.</translation>
    </message>
</context>
<context>
    <name>Keeping</name>
    <message>
        <source>Models that were downloaded</source>
        <translation>Geladene Modelle</translation>
    </message>
    <message>
        <source>What your models learnt</source>
        <translation>Was deine Modelle gelernt haben</translation>
    </message>
    <message>
        <source>Puzzles of your own</source>
        <translation>Eigene Rätsel</translation>
    </message>
    <message>
        <source>Rounds and scores</source>
        <translation>Runden und Ergebnisse</translation>
    </message>
    <message>
        <source>Copies that can be made again</source>
        <translation>Kopien, die neu gemacht werden können</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>Protokolle</translation>
    </message>
    <message>
        <source>Everything else</source>
        <translation>Alles andere</translation>
    </message>
    <message>
        <source>{size} in all</source>
        <translation>{size} insgesamt</translation>
    </message>
</context>
<context>
    <name>KindGrid</name>
    <message>
        <source>Built in</source>
        <translation>Eingebaut</translation>
    </message>
</context>
<context>
    <name>LiveView</name>
    <message>
        <source>Hold still</source>
        <translation>Festhalten</translation>
    </message>
    <message>
        <source>Open Home</source>
        <translation>Startseite öffnen</translation>
    </message>
    <message>
        <source>Show older ones</source>
        <translation>Ältere zeigen</translation>
    </message>
    <message>
        <source>Puzzles, the newest on top</source>
        <translation>Rätsel, die neuesten oben</translation>
    </message>
</context>
<context>
    <name>LosingDialog</name>
    <message>
        <source>Close Waggle?</source>
        <translation>Waggle schließen?</translation>
    </message>
    <message>
        <source>Close all the same</source>
        <translation>Trotzdem schließen</translation>
    </message>
    <message>
        <source>Let it end first</source>
        <translation>Erst zu Ende laufen lassen</translation>
    </message>
    <message>
        <source>An exam or an export is under way, and would have to begin anew. Rounds of practice are safe either way.</source>
        <translation>Eine Prüfung oder ein Export läuft noch und müsste von vorn beginnen. Geübte Runden sind so oder so sicher.</translation>
    </message>
</context>
<context>
    <name>MeetingSection</name>
    <message>
        <source>Your swarm</source>
        <translation>Dein Schwarm</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>Proxy</translation>
    </message>
    <message>
        <source>As this computer does it</source>
        <translation>Wie dieser Computer es hält</translation>
    </message>
    <message>
        <source>One that you were invited to.</source>
        <translation>Einer, in den du eingeladen wurdest.</translation>
    </message>
    <message>
        <source>One that is open.</source>
        <translation>Einer, der allen offensteht.</translation>
    </message>
    <message>
        <source>Give it with its port, such as http://proxy:3128, or leave it empty.</source>
        <translation>Gib ihn mit seinem Port an, etwa http://proxy:3128, oder lass ihn leer.</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>Port</translation>
    </message>
    <message>
        <source>Any free one</source>
        <translation>Irgendein freier</translation>
    </message>
    <message>
        <source>Where others are met</source>
        <translation>Wo andere getroffen werden</translation>
    </message>
    <message>
        <source>On this network</source>
        <translation>In diesem Netz</translation>
    </message>
    <message>
        <source>Finds others who use the same router, without the internet.</source>
        <translation>Findet andere am selben Router, ohne das Internet.</translation>
    </message>
    <message>
        <source>On the internet, without a meeting point</source>
        <translation>Im Internet, ohne Treffpunkt</translation>
    </message>
    <message>
        <source>Looks for others through the BitTorrent network, and is found there. It shows this computer&apos;s internet address to those who look.</source>
        <translation>Sucht andere im BitTorrent-Netz und wird dort gefunden. Wer sucht, sieht die Internetadresse dieses Computers.</translation>
    </message>
    <message>
        <source>Port for others</source>
        <translation>Port für andere</translation>
    </message>
    <message>
        <source>Only of interest where a router or a firewall has to know it.</source>
        <translation>Nur wichtig, wo ein Router oder eine Firewall ihn kennen muss.</translation>
    </message>
    <message>
        <source>This counts from the next start of practice.</source>
        <translation>Das gilt ab dem nächsten Start des Übens.</translation>
    </message>
    <message>
        <source>Open Swarm</source>
        <translation>Schwarm öffnen</translation>
    </message>
    <message>
        <source>The way to models and to meeting points outside, such as http://proxy:3128. Counts from the next start of Waggle.</source>
        <translation>Der Weg zu Modellen und zu Treffpunkten draußen, etwa http://proxy:3128. Gilt ab dem nächsten Start von Waggle.</translation>
    </message>
</context>
<context>
    <name>MilestoneList</name>
    <message>
        <source>Milestones</source>
        <translation>Meilensteine</translation>
    </message>
    <message>
        <source>The first is near.</source>
        <translation>Der erste ist nah.</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Als Nächstes</translation>
    </message>
    <message>
        <source>All of them are behind you.</source>
        <translation>Alle liegen hinter dir.</translation>
    </message>
</context>
<context>
    <name>ModelCard</name>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Show the folder</source>
        <translation>Ordner zeigen</translation>
    </message>
    <message>
        <source>Fewer details</source>
        <translation>Weniger Einzelheiten</translation>
    </message>
</context>
<context>
    <name>ModelCards</name>
    <message>
        <source>More models…</source>
        <translation>Mehr Modelle…</translation>
    </message>
    <message>
        <source>Here a round takes {}.</source>
        <translation>Hier dauert eine Runde {}.</translation>
    </message>
</context>
<context>
    <name>Models</name>
    <message>
        <source>Take it away</source>
        <translation>Mitnehmen</translation>
    </message>
    <message>
        <source>Look after it</source>
        <translation>Pflegen</translation>
    </message>
    <message>
        <source>What it had learnt before</source>
        <translation>Was es vorher gelernt hatte</translation>
    </message>
    <message>
        <source>none so far</source>
        <translation>bisher keine</translation>
    </message>
    <message>
        <source>Practised here</source>
        <translation>Hier geübt</translation>
    </message>
    <message>
        <source>the model {}</source>
        <translation>das Modell {}</translation>
    </message>
    <message>
        <source>what it learnt {}</source>
        <translation>was es gelernt hat: {}</translation>
    </message>
    <message>
        <source>On the disk</source>
        <translation>Auf der Festplatte</translation>
    </message>
    <message>
        <source>Comes from</source>
        <translation>Kommt von</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Speichern…</translation>
    </message>
    <message>
        <source>For other apps (GGUF)</source>
        <translation>Für andere Apps (GGUF)</translation>
    </message>
    <message>
        <source>One file for LM Studio, llama.cpp and the like; about {}.</source>
        <translation>Eine Datei für LM Studio, llama.cpp und ähnliche; etwa {}.</translation>
    </message>
    <message>
        <source>For other apps, half the size (GGUF, 8 bit)</source>
        <translation>Für andere Apps, halb so groß (GGUF, 8 Bit)</translation>
    </message>
    <message>
        <source>Answers nearly the same; about {}.</source>
        <translation>Antwortet fast gleich; etwa {}.</translation>
    </message>
    <message>
        <source>The learnt part only (adapter)</source>
        <translation>Nur das Gelernte (Adapter)</translation>
    </message>
    <message>
        <source>A folder for PEFT, used with the base model; about {}.</source>
        <translation>Ein Ordner für PEFT, zusammen mit dem Grundmodell zu benutzen; etwa {}.</translation>
    </message>
    <message>
        <source>Whole model</source>
        <translation>Ganzes Modell</translation>
    </message>
    <message>
        <source>A folder for programs that use transformers; about {}.</source>
        <translation>Ein Ordner für Programme, die transformers benutzen; etwa {}.</translation>
    </message>
    <message>
        <source>How long a round will take here</source>
        <translation>Wie lange eine Runde hier dauern wird</translation>
    </message>
    <message>
        <source>Measured with random numbers in its place, in a minute or two. Once it practises, its rounds tell.</source>
        <translation>Gemessen mit Zufallszahlen an seiner Stelle, in ein bis zwei Minuten. Sobald es übt, sagen es seine Runden.</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Messen</translation>
    </message>
    <message>
        <source>Check its files</source>
        <translation>Dateien prüfen</translation>
    </message>
    <message>
        <source>Compares every file with what Hugging Face announced.</source>
        <translation>Vergleicht jede Datei mit dem, was Hugging Face angekündigt hat.</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Sets {} free. What it learnt is kept, for when it comes back.</source>
        <translation>Macht {} frei. Was es gelernt hat, bleibt erhalten, für den Fall, dass es wiederkommt.</translation>
    </message>
    <message>
        <source>Remove {} from this computer?</source>
        <translation>{} von diesem Computer entfernen?</translation>
    </message>
    <message>
        <source>Remove it from this computer</source>
        <translation>Von diesem Computer entfernen</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>Entfernen…</translation>
    </message>
    <message>
        <source>What it learnt in {} is put aside as a backup.</source>
        <translation>Was es in {} gelernt hat, wird als Sicherung beiseitegelegt.</translation>
    </message>
    <message>
        <source>Start {} over? It forgets what it learnt here. A backup is kept, and you can bring it back.</source>
        <translation>Mit {} von vorn beginnen? Es vergisst, was es hier gelernt hat. Eine Sicherung bleibt, und du kannst sie zurückholen.</translation>
    </message>
    <message>
        <source>Start over from the base</source>
        <translation>Vom Grundmodell neu beginnen</translation>
    </message>
    <message>
        <source>Start over…</source>
        <translation>Neu beginnen…</translation>
    </message>
    <message>
        <source>Backup of {}</source>
        <translation>Sicherung von {}</translation>
    </message>
    <message>
        <source>{rounds}; {size}. What it learnt since is put aside.</source>
        <translation>{rounds}; {size}. Was es seitdem gelernt hat, wird beiseitegelegt.</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>Zurückholen</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen…</translation>
    </message>
    <message>
        <source>Delete the backup of {when} ({size})? What it had learnt by then is gone for good. Its rounds still count as your contribution.</source>
        <translation>Die Sicherung von {when} ({size}) löschen? Was es bis dahin gelernt hatte, ist dann für immer weg. Seine Runden zählen weiter als dein Beitrag.</translation>
    </message>
    <message>
        <source>{} are free on the disk that holds them.</source>
        <translation>{} sind auf der Festplatte frei, auf der sie liegen.</translation>
    </message>
    <message>
        <source>Memory is measured while {} practises: without it, more is free.</source>
        <translation>Der Arbeitsspeicher wurde gemessen, während {} übt: Ohne das ist mehr frei.</translation>
    </message>
    <message>
        <source>comes with Waggle</source>
        <translation>gehört zu Waggle</translation>
    </message>
    <message>
        <source>on this computer, {}</source>
        <translation>auf diesem Computer, {}</translation>
    </message>
    <message>
        <source>{} to download</source>
        <translation>{} zu laden</translation>
    </message>
    <message>
        <source>a part is on this computer</source>
        <translation>ein Teil ist auf diesem Computer</translation>
    </message>
    <message>
        <source>files of it are missing</source>
        <translation>Dateien davon fehlen</translation>
    </message>
    <message>
        <source>a round takes {}</source>
        <translation>eine Runde dauert {}</translation>
    </message>
    <message>
        <source>The download needs {need} on the disk, and {free} are free there.</source>
        <translation>Zum Laden braucht es {need} auf der Festplatte, und dort sind {free} frei.</translation>
    </message>
    <message>
        <source>Practising now</source>
        <translation>Übt gerade</translation>
    </message>
    <message>
        <source>Chosen next</source>
        <translation>Als Nächstes gewählt</translation>
    </message>
    <message>
        <source>Chosen</source>
        <translation>Gewählt</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>Passt</translation>
    </message>
    <message>
        <source>Tight</source>
        <translation>Knapp</translation>
    </message>
    <message>
        <source>Too large</source>
        <translation>Zu groß</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Download again</source>
        <translation>Noch einmal laden</translation>
    </message>
    <message>
        <source>This computer could probably not train it. {} Download it all the same?</source>
        <translation>Dieser Computer könnte es wahrscheinlich nicht trainieren. {} Trotzdem laden?</translation>
    </message>
    <message>
        <source>Download anyway</source>
        <translation>Trotzdem laden</translation>
    </message>
    <message>
        <source>Choose anyway</source>
        <translation>Trotzdem wählen</translation>
    </message>
    <message>
        <source>It seems to need more memory than there is. The computer may become slow, and practice may end when the memory runs out; what it learnt until its last round is safe. Choose it all the same?</source>
        <translation>Es scheint mehr Arbeitsspeicher zu brauchen, als da ist. Der Computer kann langsam werden, und das Üben kann enden, wenn der Arbeitsspeicher ausgeht; was es bis zu seiner letzten Runde gelernt hat, ist sicher. Trotzdem wählen?</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>Wählen</translation>
    </message>
    <message>
        <source>Finishing the round…</source>
        <translation>Die Runde wird beendet…</translation>
    </message>
    <message>
        <source>Change over now</source>
        <translation>Jetzt wechseln</translation>
    </message>
    <message>
        <source>Throw away what came in of {}?</source>
        <translation>Wegwerfen, was von {} angekommen ist?</translation>
    </message>
    <message>
        <source>Throw it away</source>
        <translation>Wegwerfen</translation>
    </message>
    <message>
        <source>Throw away</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Pause would keep it.</source>
        <translation>Pause würde es behalten.</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>It is in the list above.</source>
        <translation>Es steht in der Liste oben.</translation>
    </message>
    <message>
        <source>The token is kept where this computer keeps passwords. Only Hugging Face is shown it.</source>
        <translation>Der Zugangsschlüssel liegt jetzt dort, wo dieser Computer Passwörter aufbewahrt. Nur Hugging Face bekommt ihn zu sehen.</translation>
    </message>
    <message>
        <source>It is here, complete and checked. Now it can be chosen.</source>
        <translation>Es ist da, vollständig und geprüft. Jetzt kann es gewählt werden.</translation>
    </message>
    <message>
        <source>Every file is what Hugging Face announced.</source>
        <translation>Jede Datei ist, was Hugging Face angekündigt hat.</translation>
    </message>
    <message>
        <source>Saved: {path} ({size})</source>
        <translation>Gespeichert: {path} ({size})</translation>
    </message>
    <message>
        <source>The backup is deleted; {} are free again.</source>
        <translation>Die Sicherung ist gelöscht; {} sind wieder frei.</translation>
    </message>
    <message>
        <source>Removed; {} are free again. What it learnt here is kept.</source>
        <translation>Entfernt; {} sind wieder frei. Was es hier gelernt hat, bleibt erhalten.</translation>
    </message>
    <message>
        <source>It starts over from its base. What it learnt in {} is kept as a backup, and its rounds still count as your contribution.</source>
        <translation>Es beginnt neu vom Grundmodell. Was es in {} gelernt hat, bleibt als Sicherung, und seine Runden zählen weiter als dein Beitrag.</translation>
    </message>
    <message>
        <source>It is as it was then.</source>
        <translation>Es ist wie damals.</translation>
    </message>
    <message>
        <source>Where shall it go?</source>
        <translation>Wohin soll es?</translation>
    </message>
    <message>
        <source>{done} of {total} are here. The rest can come any time.</source>
        <translation>{done} von {total} sind da. Der Rest kann jederzeit kommen.</translation>
    </message>
    <message>
        <source>Pausing…</source>
        <translation>Pausiert gleich…</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Wird angehalten…</translation>
    </message>
    <message>
        <source>Reading every file</source>
        <translation>Jede Datei wird gelesen</translation>
    </message>
    <message>
        <source>Removing…</source>
        <translation>Wird entfernt…</translation>
    </message>
    <message>
        <source>Putting aside what it learnt…</source>
        <translation>Das Gelernte wird beiseitegelegt…</translation>
    </message>
    <message>
        <source>Bringing it back…</source>
        <translation>Wird zurückgeholt…</translation>
    </message>
    <message>
        <source>Measuring how long a round will take…</source>
        <translation>Misst, wie lange eine Runde dauern wird…</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Startet…</translation>
    </message>
    <message>
        <source>Asking Hugging Face…</source>
        <translation>Hugging Face wird gefragt…</translation>
    </message>
    <message>
        <source>The line broke; trying again. What came in is kept.</source>
        <translation>Die Verbindung riss ab; neuer Versuch. Was angekommen ist, bleibt.</translation>
    </message>
    <message>
        <source>Checking what came in</source>
        <translation>Was ankam, wird geprüft</translation>
    </message>
    <message>
        <source>{} a second</source>
        <translation>{} pro Sekunde</translation>
    </message>
    <message>
        <source>Getting the model ready…</source>
        <translation>Das Modell wird vorbereitet…</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>Wird geschrieben</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} von {total}</translation>
    </message>
    <message>
        <source>{} parameters</source>
        <translation>{} Parameter</translation>
    </message>
    <message>
        <source>1 round</source>
        <translation>1 Runde</translation>
    </message>
    <message>
        <source>{} rounds</source>
        <translation>{} Runden</translation>
    </message>
    <message>
        <source>less than a minute left</source>
        <translation>noch weniger als eine Minute</translation>
    </message>
    <message>
        <source>about a minute left</source>
        <translation>noch etwa eine Minute</translation>
    </message>
    <message>
        <source>about {} minutes left</source>
        <translation>noch etwa {} Minuten</translation>
    </message>
    <message>
        <source>about {} hours left</source>
        <translation>noch etwa {} Stunden</translation>
    </message>
    <message>
        <source>about a second</source>
        <translation>etwa eine Sekunde</translation>
    </message>
    <message>
        <source>about {} seconds</source>
        <translation>etwa {} Sekunden</translation>
    </message>
    <message>
        <source>about {} minutes</source>
        <translation>etwa {} Minuten</translation>
    </message>
    <message>
        <source>about {} hours</source>
        <translation>etwa {} Stunden</translation>
    </message>
    <message>
        <source>Needs about {need} of memory, the graphics card has {have} free.</source>
        <translation>Braucht etwa {need} Grafikspeicher, die Grafikkarte hat {have} frei.</translation>
    </message>
    <message>
        <source>Needs about {need} of memory, this computer has {have} free for it.</source>
        <translation>Braucht etwa {need} Arbeitsspeicher, dieser Computer hat {have} dafür frei.</translation>
    </message>
    <message>
        <source>Close other programs first.</source>
        <translation>Schließ zuerst andere Programme.</translation>
    </message>
    <message>
        <source>{} would fit.</source>
        <translation>{} würde passen.</translation>
    </message>
</context>
<context>
    <name>ModelsView</name>
    <message>
        <source>Looking at what is here…</source>
        <translation>Es wird nachgesehen, was da ist…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Choose what this computer trains. Larger ones know more, and need more.</source>
        <translation>Wähle, was dieser Computer trainiert. Größere können und brauchen mehr.</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
</context>
<context>
    <name>Moments</name>
    <message>
        <source>d MMM yyyy</source>
        <comment>a date, in the letters of QLocale</comment>
        <translation>d. MMM yyyy</translation>
    </message>
</context>
<context>
    <name>Navigation</name>
    <message>
        <source>What is Waggle?</source>
        <translation>Was ist Waggle?</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Practice</source>
        <translation>Üben</translation>
    </message>
    <message>
        <source>Contribution</source>
        <translation>Beitrag</translation>
    </message>
    <message>
        <source>Swarm</source>
        <translation>Schwarm</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Saved: {}</source>
        <translation>Gespeichert: {}</translation>
    </message>
    <message>
        <source>Show the folder</source>
        <translation>Ordner zeigen</translation>
    </message>
</context>
<context>
    <name>Notices</name>
    <message>
        <source>Waggle goes on in the tray</source>
        <translation>Waggle läuft im Infobereich weiter</translation>
    </message>
    <message>
        <source>Its icon leads back to the window. To end it, choose Quit there.</source>
        <translation>Sein Symbol führt zum Fenster zurück. Zum Beenden wähle dort „Beenden“.</translation>
    </message>
    <message>
        <source>Practice has stopped</source>
        <translation>Das Üben hat aufgehört</translation>
    </message>
    <message>
        <source>{model} has finished {rounds} rounds.</source>
        <translation>{model} hat {rounds} Runden geschafft.</translation>
    </message>
    <message>
        <source>A milestone</source>
        <translation>Ein Meilenstein</translation>
    </message>
    <message>
        <source>Another model has learnt from what yours tried.</source>
        <translation>Ein anderes Modell hat aus dem gelernt, was deines versucht hat.</translation>
    </message>
    <message>
        <source>{} other models have learnt from what yours tried.</source>
        <translation>{} andere Modelle haben aus dem gelernt, was deines versucht hat.</translation>
    </message>
</context>
<context>
    <name>OfferView</name>
    <message>
        <source>Puzzles that come with the invite</source>
        <translation>Rätsel, die mit der Einladung kommen</translation>
    </message>
    <message>
        <source>Practise these</source>
        <translation>Diese üben</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Nicht jetzt</translation>
    </message>
    <message>
        <source>Asking where its members meet…</source>
        <translation>Wo seine Mitglieder sich treffen, wird gefragt…</translation>
    </message>
    <message>
        <source>Fetching deck {number} of {all}…</source>
        <translation>Kartensatz {number} von {all} wird geholt…</translation>
    </message>
    <message>
        <source>Keeping them…</source>
        <translation>Sie werden behalten…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>How far the puzzles are on their way</source>
        <translation>Wie weit die Rätsel unterwegs sind</translation>
    </message>
</context>
<context>
    <name>OnlyBar</name>
    <message>
        <source>Show all puzzles</source>
        <translation>Alle Rätsel zeigen</translation>
    </message>
    <message>
        <source>Only: {}</source>
        <translation>Nur: {}</translation>
    </message>
</context>
<context>
    <name>OwnCard</name>
    <message>
        <source>Your swarm</source>
        <translation>Dein Schwarm</translation>
    </message>
    <message>
        <source>Your model still practises in the swarm from before, and changes over with its next start.</source>
        <translation>Dein Modell übt noch im Schwarm von vorher und wechselt mit seinem nächsten Start.</translation>
    </message>
    <message>
        <source>Change over now</source>
        <translation>Jetzt wechseln</translation>
    </message>
    <message>
        <source>See its puzzles</source>
        <translation>Seine Rätsel ansehen</translation>
    </message>
    <message>
        <source>Invite others</source>
        <translation>Andere einladen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>The puzzles of this swarm are not on this computer, so practice cannot begin.</source>
        <translation>Die Rätsel dieses Schwarms sind nicht auf diesem Computer, darum kann das Üben nicht beginnen.</translation>
    </message>
    <message>
        <source>Finishing the round…</source>
        <translation>Die Runde wird beendet…</translation>
    </message>
    <message>
        <source>Leaving the puzzles where others meet…</source>
        <translation>Die Rätsel werden bei den Treffpunkten hinterlegt…</translation>
    </message>
    <message>
        <source>Go to: {}</source>
        <translation>Zu: {}</translation>
    </message>
</context>
<context>
    <name>PeopleCard</name>
    <message>
        <source>Who is here</source>
        <translation>Wer da ist</translation>
    </message>
    <message>
        <source>Show more ({})</source>
        <translation>Mehr zeigen ({})</translation>
    </message>
</context>
<context>
    <name>Phrases</name>
    <message>
        <source>{}, {}</source>
        <comment>between the parts of a series</comment>
        <translation>{}, {}</translation>
    </message>
    <message>
        <source>Finish or stop practising first.</source>
        <translation>Beende zuerst das Üben, nach der Runde oder sofort.</translation>
    </message>
    <message>
        <source>{}: {}</source>
        <comment>a name and what is said of it</comment>
        <translation>{}: {}</translation>
    </message>
</context>
<context>
    <name>PlotField</name>
    <message>
        <source>Chart: you and the swarm</source>
        <translation>Diagramm: du und der Schwarm</translation>
    </message>
    <message>
        <source>Puzzles solved</source>
        <translation>Gelöste Rätsel</translation>
    </message>
</context>
<context>
    <name>Practice</name>
    <message>
        <source>right</source>
        <translation>richtig</translation>
    </message>
    <message>
        <source>partly right</source>
        <translation>teilweise richtig</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>falsch</translation>
    </message>
    <message>
        <source>{right} of {tries} right</source>
        <translation>{right} von {tries} richtig</translation>
    </message>
    <message>
        <source>(no answer)</source>
        <translation>(keine Antwort)</translation>
    </message>
    <message>
        <source>{before} before, {now} now.</source>
        <translation>{before} vorher, {now} jetzt.</translation>
    </message>
    <message>
        <source>Choosing puzzles that it never practised…</source>
        <translation>Rätsel werden gewählt, die es nie geübt hat…</translation>
    </message>
    <message>
        <source>Trying puzzles: {} to go…</source>
        <translation>Rätsel werden versucht: noch {}…</translation>
    </message>
    <message>
        <source>Checking the answers…</source>
        <translation>Antworten werden geprüft…</translation>
    </message>
    <message>
        <source>Lines: 0 to {}</source>
        <translation>Linien: 0 bis {}</translation>
    </message>
    <message>
        <source>{puzzles} puzzles that it never practised, after {rounds}; {when}. Kinds: {kinds}, levels of them: {levels}.</source>
        <translation>{puzzles} Rätsel, die es nie geübt hat, nach {rounds}; {when}. Arten: {kinds}, Stufen davon: {levels}.</translation>
    </message>
    <message>
        <source>Solved at the first try</source>
        <translation>Beim ersten Versuch gelöst</translation>
    </message>
    <message>
        <source>The same if the form is forgiven</source>
        <translation>Dasselbe, wenn man die Form verzeiht</translation>
    </message>
    <message>
        <source>Solved within eight tries</source>
        <translation>In acht Versuchen gelöst</translation>
    </message>
    <message>
        <source>{before} ± {before_margin} → {now} ± {now_margin}</source>
        <translation>{before} ± {before_margin} → {now} ± {now_margin}</translation>
    </message>
    <message>
        <source>It has not practised yet, so both are the same model.</source>
        <translation>Es hat noch nicht geübt, also sind beide dasselbe Modell.</translation>
    </message>
    <message>
        <source>{before} → {now}</source>
        <translation>{before} → {now}</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Hold still</source>
        <translation>Festhalten</translation>
    </message>
    <message>
        <source>Nothing is practised now; these were the last puzzles.</source>
        <translation>Gerade wird nichts geübt; das waren die letzten Rätsel.</translation>
    </message>
    <message>
        <source>Paused; these were the last puzzles.</source>
        <translation>Pausiert; das waren die letzten Rätsel.</translation>
    </message>
    <message>
        <source>A few of the puzzles that are tried, the newest on top.</source>
        <translation>Einige der Rätsel, die versucht werden, die neuesten oben.</translation>
    </message>
    <message>
        <source>Held still for you.</source>
        <translation>Für dich festgehalten.</translation>
    </message>
    <message>
        <source>Held still; 1 newer one is waiting.</source>
        <translation>Festgehalten; 1 neueres wartet.</translation>
    </message>
    <message>
        <source>Held still; {} newer ones are waiting.</source>
        <translation>Festgehalten; {} neuere warten.</translation>
    </message>
    <message>
        <source>Here you can watch the puzzles that your model tries, what it answers, and what others answered.
Nothing is practised right now. Join on Home, and they pass by.</source>
        <translation>Hier kannst du die Rätsel ansehen, die dein Modell versucht, was es antwortet, und was andere geantwortet haben.
Gerade wird nichts geübt. Tritt auf der Startseite bei, und sie ziehen vorbei.</translation>
    </message>
    <message>
        <source>Paused. The next puzzle appears when practice goes on.</source>
        <translation>Pausiert. Das nächste Rätsel erscheint, wenn es weitergeht.</translation>
    </message>
    <message>
        <source>The first puzzle appears when the model is ready.</source>
        <translation>Das erste Rätsel erscheint, wenn das Modell bereit ist.</translation>
    </message>
    <message>
        <source>None of this kind and level has passed by yet. A round asks only a few of all, so it may take a while.</source>
        <translation>Von dieser Art und Stufe kam noch keines vorbei. Eine Runde stellt nur wenige von allen, es kann also dauern.</translation>
    </message>
    <message>
        <source>The next puzzle appears as soon as a round is over.</source>
        <translation>Das nächste Rätsel erscheint, sobald eine Runde vorbei ist.</translation>
    </message>
    <message>
        <source>Your own words</source>
        <translation>Deine eigenen Worte</translation>
    </message>
    <message>
        <source>Before any practice</source>
        <translation>Vor allem Üben</translation>
    </message>
    <message>
        <source>It was made for conversation, and practises puzzles here. Small models make things up: do not rely on what it says.</source>
        <translation>Es wurde für Gespräche gemacht und übt hier Rätsel. Kleine Modelle erfinden Dinge: Verlass dich nicht auf das, was es sagt.</translation>
    </message>
    <message>
        <source>{} has never read anything but puzzles. Asked something else, it answers as if that were a puzzle, or nonsense.</source>
        <translation>{} hat nie etwas anderes als Rätsel gelesen. Fragt man etwas anderes, antwortet es, als wäre das ein Rätsel, oder Unsinn.</translation>
    </message>
    <message>
        <source>Today, not practised yet</source>
        <translation>Heute, noch nicht geübt</translation>
    </message>
    <message>
        <source>Today, after 1 round</source>
        <translation>Heute, nach 1 Runde</translation>
    </message>
    <message>
        <source>Today, after {} rounds</source>
        <translation>Heute, nach {} Runden</translation>
    </message>
    <message>
        <source>The same answers: practice made no difference here.</source>
        <translation>Dieselben Antworten: Hier hat das Üben nichts geändert.</translation>
    </message>
    <message>
        <source>Answers to your own words are not judged by anybody.</source>
        <translation>Antworten auf deine eigenen Worte beurteilt niemand.</translation>
    </message>
    <message>
        <source>One puzzle proves little. The exam asks many.</source>
        <translation>Ein Rätsel beweist wenig. Die Prüfung stellt viele.</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Choices</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>How one gets there</source>
        <translation>Lösungsweg</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <source>Condition</source>
        <translation>Bedingung</translation>
    </message>
    <message>
        <source>Rows that become questions: {good} of {total}.</source>
        <translation>Zeilen, die zu Fragen werden: {good} von {total}.</translation>
    </message>
    <message>
        <source>Letter for letter</source>
        <translation>Buchstabe für Buchstabe</translation>
    </message>
    <message>
        <source>Capitals do not matter</source>
        <translation>Groß oder klein ist gleich</translation>
    </message>
    <message>
        <source>Whole numbers</source>
        <translation>Ganze Zahlen</translation>
    </message>
    <message>
        <source>Decimal numbers</source>
        <translation>Dezimalzahlen</translation>
    </message>
    <message>
        <source>Fractions</source>
        <translation>Brüche</translation>
    </message>
    <message>
        <source>One of the choices</source>
        <translation>Eine der Auswahlmöglichkeiten</translation>
    </message>
    <message>
        <source>Words in any order</source>
        <translation>Wörter in beliebiger Folge</translation>
    </message>
    <message>
        <source>(Rows: {})</source>
        <translation>(Zeilen: {})</translation>
    </message>
    <message>
        <source>Left out for what is wrong with them: {}.</source>
        <translation>Weggelassen, weil etwas nicht stimmt: {}.</translation>
    </message>
    <message>
        <source>Shown are the first rows, and bad ones among the rest: {} in all.</source>
        <translation>Gezeigt werden die ersten Zeilen, und von den übrigen die fehlerhaften: zusammen {}.</translation>
    </message>
    <message>
        <source>To be mended first</source>
        <translation>Zuerst zu beheben</translation>
    </message>
    <message>
        <source>level {level}: {share}</source>
        <translation>Stufe {level}: {share}</translation>
    </message>
    <message>
        <source>solved now</source>
        <translation>jetzt gelöst</translation>
    </message>
    <message>
        <source>left edge: before practice</source>
        <translation>linker Rand: vor dem Üben</translation>
    </message>
    <message>
        <source>the swarm solves more</source>
        <translation>der Schwarm löst mehr</translation>
    </message>
    <message>
        <source>not practised at present</source>
        <translation>zurzeit nicht geübt</translation>
    </message>
    <message>
        <source>never tried</source>
        <translation>nie versucht</translation>
    </message>
    <message>
        <source>What can {} do?</source>
        <translation>Was kann {}?</translation>
    </message>
    <message>
        <source>What is practised</source>
        <translation>Was geübt wird</translation>
    </message>
    <message>
        <source>Looking it up…</source>
        <translation>Wird nachgesehen…</translation>
    </message>
    <message>
        <source>What you choose counts from the next start of practice.</source>
        <translation>Was du wählst, gilt ab dem nächsten Start des Übens.</translation>
    </message>
    <message>
        <source>Your swarm, “{}”, practises puzzles of its own. You choose again once you are in another.</source>
        <translation>Dein Schwarm „{}“ übt eigene Rätsel. Du wählst wieder, sobald du in einem anderen bist.</translation>
    </message>
    <message>
        <source>Puzzles of your swarm are not on this computer, so practice cannot begin. See them first on the page Swarm.</source>
        <translation>Rätsel deines Schwarms sind nicht auf diesem Computer, darum kann das Üben nicht beginnen. Sieh sie dir zuerst auf der Seite Schwarm an.</translation>
    </message>
    <message>
        <source>A deck that is to be practised is not on this computer any more, so practice cannot begin. Add it again, or leave it out.</source>
        <translation>Ein Kartensatz, der geübt werden soll, ist nicht mehr auf diesem Computer; so kann das Üben nicht beginnen. Füge ihn wieder hinzu, oder lass ihn weg.</translation>
    </message>
    <message>
        <source>The puzzles of your swarm are practised: {}</source>
        <translation>Die Rätsel deines Schwarms werden geübt: {}</translation>
    </message>
    <message>
        <source>All {} built-in kinds are practised</source>
        <translation>Alle {} eingebauten Arten werden geübt</translation>
    </message>
    <message>
        <source>Built-in kinds that are practised: {some} of {all}</source>
        <translation>Eingebaute Arten, die geübt werden: {some} von {all}</translation>
    </message>
    <message>
        <source>Only “{}” is practised</source>
        <translation>Nur „{}“ wird geübt</translation>
    </message>
    <message>
        <source>Practised: decks of your own: {decks}, built-in kinds: {kinds}</source>
        <translation>Geübt werden: eigene Kartensätze: {decks}, eingebaute Arten: {kinds}</translation>
    </message>
    <message>
        <source>Questions: {}</source>
        <translation>Fragen: {}</translation>
    </message>
    <message>
        <source>Templates, each of which makes many: {}</source>
        <translation>Vorlagen, deren jede viele ergibt: {}</translation>
    </message>
    <message>
        <source>Levels: {}</source>
        <translation>Stufen: {}</translation>
    </message>
    <message>
        <source>{} solved</source>
        <translation>{} gelöst</translation>
    </message>
    <message>
        <source>Nothing is known of it yet. Join on Home: what it solves appears here, kind by kind and level by level.</source>
        <translation>Noch ist nichts bekannt. Mach auf der Startseite mit: Was es löst, erscheint hier, Art für Art und Stufe für Stufe.</translation>
    </message>
    <message>
        <source>What {} solves so far</source>
        <translation>Was {} bisher löst</translation>
    </message>
    <message>
        <source>{model} solves {now} of all puzzles</source>
        <translation>{model} löst {now} aller Rätsel</translation>
    </message>
    <message>
        <source>The swarm {swarm}</source>
        <translation>Der Schwarm {swarm}</translation>
    </message>
    <message>
        <source>{model} solves {now} of what it practises</source>
        <translation>{model} löst {now} von dem, was es übt</translation>
    </message>
    <message>
        <source>Before practice {base}, the swarm {swarm}</source>
        <translation>Vor dem Üben {base}, der Schwarm {swarm}</translation>
    </message>
    <message>
        <source>Before practice {base}</source>
        <translation>Vor dem Üben {base}</translation>
    </message>
    <message>
        <source>{kinds} kinds of puzzles at {cells} levels. Solved more often than not: {solved}, after {rounds}.</source>
        <translation>{kinds} Arten von Rätseln auf {cells} Stufen. Meistens gelöst: {solved}, nach {rounds}.</translation>
    </message>
    <message>
        <source>Levels: {cells}. Solved more often than not: {solved}, after {rounds}.</source>
        <translation>Stufen: {cells}. Meistens gelöst: {solved}, nach {rounds}.</translation>
    </message>
    <message>
        <source>{kind}, level {level}</source>
        <translation>{kind}, Stufe {level}</translation>
    </message>
    <message>
        <source>Never tried so far.</source>
        <translation>Bisher nie versucht.</translation>
    </message>
    <message>
        <source>Your model solves {}.</source>
        <translation>Dein Modell löst {}.</translation>
    </message>
    <message>
        <source>Before practice: {}.</source>
        <translation>Vor dem Üben: {}.</translation>
    </message>
    <message>
        <source>The swarm: {}.</source>
        <translation>Der Schwarm: {}.</translation>
    </message>
    <message>
        <source>Not practised at present.</source>
        <translation>Wird zurzeit nicht geübt.</translation>
    </message>
    <message>
        <source>Small models that practise together, on many computers</source>
        <translation>Kleine Modelle, die gemeinsam üben, auf vielen Computern</translation>
    </message>
</context>
<context>
    <name>PracticePage</name>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <source>Skills</source>
        <translation>Können</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>Ausprobieren</translation>
    </message>
    <message>
        <source>Exam</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>Puzzles</source>
        <translation>Rätsel</translation>
    </message>
    <message>
        <source>Practice</source>
        <translation>Üben</translation>
    </message>
</context>
<context>
    <name>PrivacyStep</name>
    <message>
        <source>I have read this, and I agree to share these things.</source>
        <translation>Ich habe das gelesen und bin einverstanden, diese Dinge zu teilen.</translation>
    </message>
    <message>
        <source>You have agreed to share these things.</source>
        <translation>Du bist einverstanden, diese Dinge zu teilen.</translation>
    </message>
    <message>
        <source>Waggle lets this computer train a small language model. It practises puzzles with known answers, keeps what works, and swaps ideas with the models of other people: the swarm.</source>
        <translation>Mit Waggle trainiert dieser Computer ein kleines Sprachmodell. Es übt Rätsel mit bekannten Antworten, behält, was funktioniert, und tauscht Ideen mit den Modellen anderer Leute: dem Schwarm.</translation>
    </message>
    <message>
        <source>Others that you connect to see your internet address, as with any website. Nothing here earns money: a score only says how many puzzles were solved.</source>
        <translation>Andere, mit denen du dich verbindest, sehen deine Internetadresse, wie bei jeder Website. Hier verdient niemand Geld: Ein Ergebnis sagt nur, wie viele Rätsel gelöst wurden.</translation>
    </message>
    <message>
        <source>Train a small model, together.</source>
        <translation>Trainiere mit anderen ein kleines Modell.</translation>
    </message>
    <message>
        <source>which puzzles were tried, and when</source>
        <translation>welche Rätsel wann versucht wurden</translation>
    </message>
    <message>
        <source>what your model answered, as text</source>
        <translation>was dein Modell antwortet, als Text</translation>
    </message>
    <message>
        <source>how many puzzles it solved last, and whose tries it learnt from</source>
        <translation>wie viele Rätsel es zuletzt löste, und aus wessen Versuchen es lernt</translation>
    </message>
    <message>
        <source>the kind of model, and a made-up name and number that stay the same</source>
        <translation>Art des Modells, und ein erfundener Name und eine Nummer, die gleich bleiben</translation>
    </message>
    <message>
        <source>your files, or anything you type</source>
        <translation>deine Dateien, oder was du schreibst</translation>
    </message>
    <message>
        <source>your name or your computer&apos;s name</source>
        <translation>dein Name oder der deines Computers</translation>
    </message>
    <message>
        <source>your model itself</source>
        <translation>dein Modell selbst</translation>
    </message>
    <message>
        <source>What is shared</source>
        <translation>Was geteilt wird</translation>
    </message>
    <message>
        <source>What is never shared</source>
        <translation>Was nie geteilt wird</translation>
    </message>
</context>
<context>
    <name>Processes</name>
    <message>
        <source>the system ended it, perhaps because memory ran out</source>
        <translation>das System beendete es, vielleicht weil der Arbeitsspeicher ausging</translation>
    </message>
    <message>
        <source>it crashed</source>
        <translation>es stürzte ab</translation>
    </message>
    <message>
        <source>it ended with an error</source>
        <translation>es endete mit einem Fehler</translation>
    </message>
    <message>
        <source>it ended too early</source>
        <translation>es endete zu früh</translation>
    </message>
</context>
<context>
    <name>ProgramsCard</name>
    <message>
        <source>Name of a program</source>
        <translation>Name eines Programms</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Add this program</source>
        <translation>Dieses Programm hinzufügen</translation>
    </message>
    <message>
        <source>Choose or type a name</source>
        <translation>Wähle oder schreib einen Namen</translation>
    </message>
    <message>
        <source>There is no room for more than {}: remove one first.</source>
        <translation>Für mehr als {} ist kein Platz: Entferne erst eines.</translation>
    </message>
    <message>
        <source>That is no name of a program: give it without folders, or choose one.</source>
        <translation>Das ist kein Name eines Programms: Gib ihn ohne Ordner an, oder wähle eines.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>{name} entfernen</translation>
    </message>
    <message>
        <source>None yet.</source>
        <translation>Noch keine.</translation>
    </message>
    <message>
        <source>Programs that come first</source>
        <translation>Programme, die Vorrang haben</translation>
    </message>
    <message>
        <source>Waggle pauses for as long as one of these runs.</source>
        <translation>Waggle pausiert, solange eines davon läuft.</translation>
    </message>
</context>
<context>
    <name>PuzzleCard</name>
    <message>
        <source>Round {}</source>
        <translation>Runde {}</translation>
    </message>
    <message>
        <source>Your model</source>
        <translation>Dein Modell</translation>
    </message>
    <message>
        <source>What {} answered to this</source>
        <translation>Was {} darauf geantwortet hat</translation>
    </message>
    <message>
        <source>{who}: {said}</source>
        <translation>{who}: {said}</translation>
    </message>
    <message>
        <source>Block {}</source>
        <translation>{} blockieren</translation>
    </message>
    <message>
        <source>Nothing of {} is shown or learnt from any more</source>
        <translation>Von {} wird nichts mehr gezeigt oder gelernt</translation>
    </message>
</context>
<context>
    <name>PuzzleList</name>
    <message>
        <source>What is practised</source>
        <translation>Was geübt wird</translation>
    </message>
    <message>
        <source>Add your own…</source>
        <translation>Eigene hinzufügen…</translation>
    </message>
    <message>
        <source>All built-in kinds</source>
        <translation>Alle eingebauten Arten</translation>
    </message>
    <message>
        <source>Puzzles of your own become a deck: a table with a question and an answer in each row is enough. Drop such a file here, or press the button above.</source>
        <translation>Eigene Rätsel werden zu einem Kartensatz: Es genügt eine Tabelle mit einer Frage und einer Antwort in jeder Zeile. Zieh eine solche Datei hierher, oder drück die Taste oben.</translation>
    </message>
    <message>
        <source>“{}” is kept. It is practised once you switch it on.</source>
        <translation>„{}“ ist aufbewahrt. Geübt wird er, sobald du ihn einschaltest.</translation>
    </message>
    <message>
        <source>Practise only this</source>
        <translation>Nur das üben</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Leave it out</source>
        <translation>Weglassen</translation>
    </message>
    <message>
        <source>Open Swarm</source>
        <translation>Schwarm öffnen</translation>
    </message>
    <message>
        <source>Deck (*.deck)</source>
        <translation>Kartensatz (*.deck)</translation>
    </message>
    <message>
        <source>Save the deck</source>
        <translation>Kartensatz speichern</translation>
    </message>
    <message>
        <source>Something has to be practised. Switch another kind on first.</source>
        <translation>Etwas muss geübt werden. Schalte zuerst eine andere Art ein.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>PuzzlesView</name>
    <message>
        <source>A table with questions and answers</source>
        <translation>Eine Tabelle mit Fragen und Antworten</translation>
    </message>
</context>
<context>
    <name>QrCode</name>
    <message>
        <source>The link as a QR code</source>
        <translation>Der Link als QR-Code</translation>
    </message>
</context>
<context>
    <name>RemovalCard</name>
    <message>
        <source>Deletes everything that Waggle keeps on this computer, and asks before.</source>
        <translation>Löscht alles, was Waggle auf diesem Computer aufbewahrt, und fragt vorher.</translation>
    </message>
    <message>
        <source>Leave nothing behind</source>
        <translation>Nichts zurücklassen</translation>
    </message>
    <message>
        <source>Remove everything…</source>
        <translation>Alles entfernen…</translation>
    </message>
    <message>
        <source>Quit Waggle</source>
        <translation>Waggle beenden</translation>
    </message>
    <message>
        <source>Removing…</source>
        <translation>Wird entfernt…</translation>
    </message>
</context>
<context>
    <name>RemoveEverythingDialog</name>
    <message>
        <source>remove</source>
        <translation>entfernen</translation>
    </message>
    <message>
        <source>Remove everything</source>
        <translation>Alles entfernen</translation>
    </message>
    <message>
        <source>The word that confirms it</source>
        <translation>Das Wort zur Bestätigung</translation>
    </message>
    <message>
        <source>Keep everything</source>
        <translation>Alles behalten</translation>
    </message>
    <message>
        <source>Really remove everything?</source>
        <translation>Wirklich alles entfernen?</translation>
    </message>
    <message>
        <source>Your identity, what your models learnt, downloaded models, puzzles of your own, rounds, scores and settings are deleted from this computer, and with them any access token for Hugging Face and the start with the computer. Nothing of it can be brought back; what others have of your model&apos;s answers stays with them for a while.</source>
        <translation>Deine Identität, was deine Modelle gelernt haben, geladene Modelle, eigene Rätsel, Runden, Ergebnisse und Einstellungen werden von diesem Computer gelöscht, und mit ihnen ein Zugangsschlüssel für Hugging Face und der Start mit dem Computer. Nichts davon lässt sich zurückholen; was andere von den Antworten deines Modells haben, bleibt noch eine Weile bei ihnen.</translation>
    </message>
    <message>
        <source>To keep who you are, a model or puzzles of your own, back them up, export them or save them to a file before.</source>
        <translation>Um deine Identität, ein Modell oder eigene Rätsel zu behalten, sichere oder exportiere sie vorher, oder speichere sie in einer Datei.</translation>
    </message>
    <message>
        <source>To go on, type the word: {word}</source>
        <translation>Um fortzufahren, gib dieses Wort ein: {word}</translation>
    </message>
    <message>
        <source>Remove everything?</source>
        <translation>Alles entfernen?</translation>
    </message>
</context>
<context>
    <name>RequestStatus</name>
    <message>
        <source>One moment: something else is not done yet.</source>
        <translation>Einen Moment: Etwas anderes ist noch nicht fertig.</translation>
    </message>
</context>
<context>
    <name>RoundProgress</name>
    <message>
        <source>This round</source>
        <translation>Diese Runde</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>Versuchen</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Teilen</translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>Lernen</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>Runden</translation>
    </message>
    <message>
        <source>Resting</source>
        <translation>Ruht gerade</translation>
    </message>
    <message>
        <source>about {} an hour</source>
        <translation>etwa {} pro Stunde</translation>
    </message>
    <message>
        <source>about {} a minute</source>
        <translation>etwa {} pro Minute</translation>
    </message>
    <message>
        <source>nearly done</source>
        <translation>fast fertig</translation>
    </message>
    <message>
        <source>about {}&#xa0;s left</source>
        <translation>noch etwa {}&#xa0;s</translation>
    </message>
    <message>
        <source>about {} min left</source>
        <translation>noch etwa {} min</translation>
    </message>
</context>
<context>
    <name>RunControls</name>
    <message>
        <source>Really stop now?</source>
        <translation>Wirklich sofort beenden?</translation>
    </message>
    <message>
        <source>No round is running, so stopping loses nothing.</source>
        <translation>Es läuft keine Runde, also geht nichts verloren.</translation>
    </message>
    <message>
        <source>The running round is lost; all finished rounds are kept.</source>
        <translation>Die laufende Runde geht verloren; alle fertigen bleiben.</translation>
    </message>
    <message>
        <source>Stop drops the running round. Finish keeps it.</source>
        <translation>„Sofort beenden“ verwirft die laufende Runde. „Runde beenden und aufhören“ behält sie.</translation>
    </message>
    <message>
        <source>Your contribution</source>
        <translation>Dein Beitrag</translation>
    </message>
</context>
<context>
    <name>SampleList</name>
    <message>
        <source>Level {}</source>
        <translation>Stufe {}</translation>
    </message>
    <message>
        <source>Answer: {}</source>
        <translation>Antwort: {}</translation>
    </message>
</context>
<context>
    <name>SavingPage</name>
    <message>
        <source>Saving…</source>
        <translation>Wird gesichert…</translation>
    </message>
    <message>
        <source>The window closes by itself in a moment.</source>
        <translation>Das Fenster schließt sich gleich von selbst.</translation>
    </message>
</context>
<context>
    <name>Schedule</name>
    <message>
        <source>Never runs by itself: no hour is chosen.</source>
        <translation>Läuft nie von selbst: Es ist keine Stunde gewählt.</translation>
    </message>
    <message>
        <source>Runs at any hour.</source>
        <translation>Läuft zu jeder Stunde.</translation>
    </message>
    <message>
        <source>Runs in {count} of the 168 hours of a week.</source>
        <translation>Läuft in {count} der 168 Stunden einer Woche.</translation>
    </message>
    <message>
        <source>Runs {hours}.</source>
        <translation>Läuft {hours}.</translation>
    </message>
    <message>
        <source>{days} all day</source>
        <translation>{days} den ganzen Tag</translation>
    </message>
    <message>
        <source>{days} {hours}</source>
        <translation>{days} {hours}</translation>
    </message>
    <message>
        <source>every day</source>
        <translation>jeden Tag</translation>
    </message>
    <message>
        <source>{first} and {last}</source>
        <translation>{first} und {last}</translation>
    </message>
</context>
<context>
    <name>ScoreChart</name>
    <message>
        <source>Chart: you and the swarm</source>
        <translation>Diagramm: du und der Schwarm</translation>
    </message>
    <message>
        <source>Your model</source>
        <translation>Dein Modell</translation>
    </message>
    <message>
        <source>Swarm</source>
        <translation>Schwarm</translation>
    </message>
    <message>
        <source>Hour</source>
        <translation>Stunde</translation>
    </message>
    <message>
        <source>Show the last hour</source>
        <translation>Die letzte Stunde zeigen</translation>
    </message>
    <message>
        <source>Day</source>
        <translation>Tag</translation>
    </message>
    <message>
        <source>Show the last day</source>
        <translation>Den letzten Tag zeigen</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Show all rounds</source>
        <translation>Alle Runden zeigen</translation>
    </message>
    <message>
        <source>Time of day</source>
        <translation>Uhrzeit</translation>
    </message>
    <message>
        <source>Round {} is shown.</source>
        <translation>Runde {} wird gezeigt.</translation>
    </message>
    <message>
        <source>Rounds {} to {} are shown.</source>
        <translation>Die Runden {} bis {} werden gezeigt.</translation>
    </message>
    <message>
        <source>Point at the chart, or use the arrow keys, to read single rounds.</source>
        <translation>Zeig auf das Diagramm oder benutze die Pfeiltasten, um einzelne Runden zu lesen.</translation>
    </message>
    <message>
        <source>You and the swarm</source>
        <translation>Du und der Schwarm</translation>
    </message>
    <message>
        <source>Rounds practised</source>
        <translation>Geübte Runden</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>When it runs</source>
        <translation>Wann es läuft</translation>
    </message>
    <message>
        <source>How much</source>
        <translation>Wie viel</translation>
    </message>
    <message>
        <source>Meeting others</source>
        <translation>Andere treffen</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>Identity and data</source>
        <translation>Identität und Daten</translation>
    </message>
    <message>
        <source>What works here</source>
        <translation>Was hier funktioniert</translation>
    </message>
    <message>
        <source>Updates</source>
        <translation>Aktualisierungen</translation>
    </message>
    <message>
        <source>About</source>
        <translation>Über</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
</context>
<context>
    <name>ShareDialog</name>
    <message>
        <source>A picture to share</source>
        <translation>Ein Bild zum Teilen</translation>
    </message>
    <message>
        <source>Save picture…</source>
        <translation>Bild speichern…</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Preview: {}</source>
        <translation>Vorschau: {}</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>Bild (*.png)</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>Bild speichern</translation>
    </message>
    <message>
        <source>{path} cannot be written ({why}). Choose another place.</source>
        <translation>{path} kann nicht geschrieben werden ({why}). Wähle einen anderen Ort.</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>Kopiert.</translation>
    </message>
</context>
<context>
    <name>SizeStep</name>
    <message>
        <source>A small one learns quickly and runs on anything. A larger one can learn more, and takes longer. You can change it whenever you like.</source>
        <translation>Ein kleines lernt schnell und läuft überall. Ein größeres kann mehr lernen und braucht länger. Du kannst jederzeit wechseln.</translation>
    </message>
    <message>
        <source>Choose a size.</source>
        <translation>Wähle eine Größe.</translation>
    </message>
    <message>
        <source>Looking at what else fits this computer…</source>
        <translation>Es wird nachgesehen, was sonst auf diesen Computer passt…</translation>
    </message>
    <message>
        <source>It is on this computer already, so it can begin at once.</source>
        <translation>Es ist schon auf diesem Computer und kann sofort beginnen.</translation>
    </message>
    <message>
        <source>It is downloaded when you begin. Until it is here and you switch to it, the model that you have goes on.</source>
        <translation>Es wird geladen, wenn du beginnst. Bis es da ist und du dazu wechselst, macht das Modell weiter, das du hast.</translation>
    </message>
</context>
<context>
    <name>Sizes</name>
    <message>
        <source>{size} to download</source>
        <translation>{size} zu laden</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>passt</translation>
    </message>
    <message>
        <source>tight</source>
        <translation>knapp</translation>
    </message>
    <message>
        <source>too large</source>
        <translation>zu groß</translation>
    </message>
    <message>
        <source>Its licence has to be accepted first: see Models.</source>
        <translation>Seine Lizenz muss zuerst angenommen werden: siehe Modelle.</translation>
    </message>
    <message>
        <source>made of {} numbers</source>
        <translation>aus {} Zahlen</translation>
    </message>
    <message>
        <source>works offline</source>
        <translation>geht ohne Internet</translation>
    </message>
</context>
<context>
    <name>SkillMap</name>
    <message>
        <source>Kinds of puzzles and their levels</source>
        <translation>Arten von Rätseln und ihre Stufen</translation>
    </message>
</context>
<context>
    <name>SkillsView</name>
    <message>
        <source>Open Home</source>
        <translation>Startseite öffnen</translation>
    </message>
    <message>
        <source>Make a picture…</source>
        <translation>Bild erstellen…</translation>
    </message>
    <message>
        <source>Skills</source>
        <translation>Können</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>What the model solves, nothing else. It leaves this computer only if you send it.</source>
        <translation>Was das Modell löst, sonst nichts. Es verlässt diesen Computer nur, wenn du es verschickst.</translation>
    </message>
</context>
<context>
    <name>SnoozeButton</name>
    <message>
        <source>Pause for a while</source>
        <translation>Für eine Weile pausieren</translation>
    </message>
</context>
<context>
    <name>Snoozes</name>
    <message>
        <source>For 30 minutes</source>
        <translation>Für 30 Minuten</translation>
    </message>
    <message>
        <source>For 1 hour</source>
        <translation>Für 1 Stunde</translation>
    </message>
    <message>
        <source>Until tomorrow</source>
        <translation>Bis morgen</translation>
    </message>
</context>
<context>
    <name>SteadyButton</name>
    <message>
        <source>Cannot be pressed right now.</source>
        <translation>Lässt sich gerade nicht drücken.</translation>
    </message>
</context>
<context>
    <name>Support</name>
    <message>
        <source>Make a support file</source>
        <translation>Datei für Hilfe erstellen</translation>
    </message>
    <message>
        <source>Looking at everything…</source>
        <translation>Alles wird angesehen…</translation>
    </message>
</context>
<context>
    <name>SupportCard</name>
    <message>
        <source>A file for whoever helps you: what was found on this computer, versions, and the end of the log. Addresses, names, keys and invites are taken out. Nothing is sent.</source>
        <translation>Eine Datei für jemanden, der dir hilft: was auf diesem Computer gefunden wurde, Versionen und das Ende des Protokolls. Adressen, Namen, Schlüssel und Einladungen sind herausgenommen. Nichts wird verschickt.</translation>
    </message>
    <message>
        <source>When something is wrong</source>
        <translation>Wenn etwas nicht stimmt</translation>
    </message>
    <message>
        <source>Make a support file…</source>
        <translation>Datei für Hilfe erstellen…</translation>
    </message>
</context>
<context>
    <name>Swarm</name>
    <message>
        <source>Private: only those who have its invite can take part or read.</source>
        <translation>Privat: Nur wer die Einladung hat, kann teilnehmen oder mitlesen.</translation>
    </message>
    <message>
        <source>Open: anybody can take part.</source>
        <translation>Offen: Jeder kann teilnehmen.</translation>
    </message>
    <message>
        <source>It names no meeting point: its members find each other on one network.</source>
        <translation>Er nennt keinen Treffpunkt: Seine Mitglieder finden einander in einem Netz.</translation>
    </message>
    <message>
        <source>Its members meet at {}.</source>
        <translation>Seine Mitglieder treffen sich auf {}.</translation>
    </message>
    <message>
        <source>Its members practise puzzles of their own and nothing else. Decks: {}.</source>
        <translation>Seine Mitglieder üben eigene Rätsel und nichts anderes. Kartensätze: {}.</translation>
    </message>
    <message>
        <source>Others get the puzzles from the other meeting points; this one gets them while you practise in this swarm.</source>
        <translation>Andere bekommen die Rätsel von den übrigen Treffpunkten; dieser bekommt sie, während du in diesem Schwarm übst.</translation>
    </message>
    <message>
        <source>Agree only if you trust whoever gave you this invite. Connect?</source>
        <translation>Stimm nur zu, wenn du der Person traust, von der die Einladung kommt. Verbinden?</translation>
    </message>
    <message>
        <source>This invite wants Waggle to connect to {}, which is this computer itself.</source>
        <translation>Diese Einladung will, dass sich Waggle mit {} verbindet. Das ist dieser Computer selbst.</translation>
    </message>
    <message>
        <source>This invite wants Waggle to connect to {}, an address inside your own network.</source>
        <translation>Diese Einladung will, dass sich Waggle mit {} verbindet, einer Adresse in deinem eigenen Netz.</translation>
    </message>
    <message>
        <source>This invite wants Waggle to connect to {}, a single page of a server: opening it may set something off there.</source>
        <translation>Diese Einladung will, dass sich Waggle mit {} verbindet, einer einzelnen Seite eines Servers: Sie aufzurufen kann dort etwas auslösen.</translation>
    </message>
    <message>
        <source>Whoever has this link is a member. Hand it only to people whom you trust.</source>
        <translation>Wer diesen Link hat, ist Mitglied. Gib ihn nur Menschen, denen du vertraust.</translation>
    </message>
    <message>
        <source>The swarm is open, so the link may be shown to anybody.</source>
        <translation>Der Schwarm ist offen, also darf jeder den Link sehen.</translation>
    </message>
    <message>
        <source>Here others meet who cannot reach each other: it hands on what they share, and trains nothing. It keeps answers for ten minutes, and puzzles of others (1 GB at most) for up to 30 days. Open until you switch it off or quit Waggle.</source>
        <translation>Hier treffen sich andere, die einander nicht erreichen: Er reicht weiter, was sie teilen, und trainiert nichts. Antworten behält er zehn Minuten, Rätsel anderer (höchstens 1 GB) bis zu 30 Tage. Er ist offen, bis du ihn ausschaltest oder Waggle beendest.</translation>
    </message>
    <message>
        <source>Open. Others find it at {}.</source>
        <translation>Offen. Andere finden ihn unter {}.</translation>
    </message>
    <message>
        <source> or </source>
        <translation> oder </translation>
    </message>
    <message>
        <source>Those on your own network reach it, once your firewall allows it. From the internet, it can be reached if your router passes port {} on to this computer. For a meeting point that is always open, see docs/hosting.md, which comes with Waggle&apos;s source.</source>
        <translation>Wer in deinem Netz ist, erreicht ihn, sobald deine Firewall es erlaubt. Aus dem Internet ist er erreichbar, wenn dein Router Port {} an diesen Computer weitergibt. Zu einem Treffpunkt, der immer offen ist, siehe docs/hosting.md im Quelltext von Waggle.</translation>
    </message>
    <message>
        <source>Nobody has left anything there yet.</source>
        <translation>Noch hat niemand dort etwas hinterlassen.</translation>
    </message>
    <message>
        <source>1 computer left something there in the last ten minutes.</source>
        <translation>1 Computer hat dort in den letzten zehn Minuten etwas hinterlassen.</translation>
    </message>
    <message>
        <source>{} computers left something there in the last ten minutes.</source>
        <translation>{} Computer haben dort in den letzten zehn Minuten etwas hinterlassen.</translation>
    </message>
    <message>
        <source>Nothing practises right now.</source>
        <translation>Gerade übt nichts.</translation>
    </message>
    <message>
        <source>Looking for others…</source>
        <translation>Andere werden gesucht…</translation>
    </message>
    <message>
        <source>The others cannot be reached right now.</source>
        <translation>Die anderen sind gerade nicht erreichbar.</translation>
    </message>
    <message>
        <source>1 other practises with you.</source>
        <translation>1 anderer übt mit dir.</translation>
    </message>
    <message>
        <source>{} others practise with you.</source>
        <translation>{} andere üben mit dir.</translation>
    </message>
    <message>
        <source>Who is here shows as soon as your model practises.</source>
        <translation>Wer da ist, zeigt sich, sobald dein Modell übt.</translation>
    </message>
    <message>
        <source>They see you as {}, a made-up name.</source>
        <translation>Sie sehen dich als {}, ein erfundener Name.</translation>
    </message>
    <message>
        <source>Your model practises alone until somebody comes. Invite others!</source>
        <translation>Dein Modell übt allein, bis jemand kommt. Lade andere ein!</translation>
    </message>
    <message>
        <source>And {} more.</source>
        <translation>Und {} weitere.</translation>
    </message>
    <message>
        <source>Nobody has been met yet. Others appear with the first tries that they share.</source>
        <translation>Noch wurde niemand getroffen. Andere erscheinen mit den ersten Versuchen, die sie teilen.</translation>
    </message>
    <message>
        <source>Others appear here once practice runs: press Join swarm on the page Home.</source>
        <translation>Andere erscheinen hier, sobald geübt wird: Drück auf der Startseite „Dem Schwarm beitreten“.</translation>
    </message>
    <message>
        <source>Asked from the next start of practice on.</source>
        <translation>Wird ab dem nächsten Start des Übens gefragt.</translation>
    </message>
    <message>
        <source>None is named. Others on your own network are met without one; for those elsewhere, add one, paste an invite, or open a meeting point yourself.</source>
        <translation>Keiner ist genannt. Andere in deinem eigenen Netz werden ohne einen getroffen; für die anderswo füge einen hinzu, füge eine Einladung ein oder öffne selbst einen Treffpunkt.</translation>
    </message>
    <message>
        <source>here</source>
        <translation>da</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>blockiert</translation>
    </message>
    <message>
        <source>silent</source>
        <translation>still</translation>
    </message>
    <message>
        <source>last heard {}</source>
        <translation>zuletzt gehört {}</translation>
    </message>
    <message>
        <source>on this network</source>
        <translation>in diesem Netz</translation>
    </message>
    <message>
        <source>over the internet</source>
        <translation>über das Internet</translation>
    </message>
    <message>
        <source>by a meeting point</source>
        <translation>über einen Treffpunkt</translation>
    </message>
    <message>
        <source>Nothing of it is looked at.</source>
        <translation>Nichts davon wird angesehen.</translation>
    </message>
    <message>
        <source>None of its tries has come here yet.</source>
        <translation>Von seinen Versuchen kam hier noch keiner an.</translation>
    </message>
    <message>
        <source>None of its {} tries has taught your model something yet.</source>
        <translation>Von seinen {} Versuchen hat noch keiner dein Modell etwas gelehrt.</translation>
    </message>
    <message>
        <source>1 of its {} tries taught your model something.</source>
        <translation>1 seiner {} Versuche hat dein Modell etwas gelehrt.</translation>
    </message>
    <message>
        <source>{taught} of its {tries} tries taught your model something.</source>
        <translation>{taught} seiner {tries} Versuche haben dein Modell etwas gelehrt.</translation>
    </message>
    <message>
        <source>Its one try taught your model something.</source>
        <translation>Sein einziger Versuch hat dein Modell etwas gelehrt.</translation>
    </message>
    <message>
        <source>Its one try has taught your model nothing yet.</source>
        <translation>Sein einziger Versuch hat dein Modell noch nichts gelehrt.</translation>
    </message>
    <message>
        <source>Answers; {} tries of others came from there.</source>
        <translation>Antwortet; {} Versuche anderer kamen von dort.</translation>
    </message>
    <message>
        <source>Not asked yet.</source>
        <translation>Noch nicht gefragt.</translation>
    </message>
    <message>
        <source>Somebody else answers there; nothing is sent to them.</source>
        <translation>Dort antwortet jemand anderes; nichts wird dorthin geschickt.</translation>
    </message>
    <message>
        <source>What answers there is no meeting point.</source>
        <translation>Was dort antwortet, ist kein Treffpunkt.</translation>
    </message>
    <message>
        <source>Left out for a while, since it broke the rules.</source>
        <translation>Eine Weile ausgelassen, weil er die Regeln brach.</translation>
    </message>
    <message>
        <source>Answers; 1 try of another came from there.</source>
        <translation>Antwortet; 1 Versuch eines anderen kam von dort.</translation>
    </message>
    <message>
        <source>Does not answer; it is tried again.</source>
        <translation>Antwortet nicht; es wird wieder versucht.</translation>
    </message>
    <message>
        <source>Has not answered since {}; it is tried again.</source>
        <translation>Hat seit {} nicht geantwortet; es wird wieder versucht.</translation>
    </message>
    <message>
        <source>What “{}” practises</source>
        <translation>Was „{}“ übt</translation>
    </message>
    <message>
        <source>Your model would learn from these puzzles, which others made, and from nothing else. Look at them first: nothing is kept before you agree.</source>
        <translation>Dein Modell würde aus diesen Rätseln lernen, die andere gemacht haben, und aus nichts anderem. Sieh sie dir zuerst an: Nichts wird behalten, bevor du zustimmst.</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>Wer ihn gemacht hat</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>not said</source>
        <translation>nicht angegeben</translation>
    </message>
    <message>
        <source>This cannot be practised, because of what has to be mended first: {}. Ask whoever invited you.</source>
        <translation>Das kann nicht geübt werden, weil erst etwas in Ordnung gebracht werden muss: {}. Frag den, der dich eingeladen hat.</translation>
    </message>
</context>
<context>
    <name>SwarmPage</name>
    <message>
        <source>That was ended; there is no invite.</source>
        <translation>Das wurde beendet; es gibt keine Einladung.</translation>
    </message>
</context>
<context>
    <name>TimeStep</name>
    <message>
        <source>It makes way for you: you should not notice it. Before it pauses, it finishes the few puzzles that it is at, and loses nothing.</source>
        <translation>Es macht dir Platz: Du solltest es nicht merken. Bevor es pausiert, beendet es die paar Rätsel, an denen es gerade sitzt, und verliert nichts.</translation>
    </message>
    <message>
        <source>Choose when it runs.</source>
        <translation>Wähle, wann es läuft.</translation>
    </message>
    <message>
        <source>There is more to choose in the settings, at any time.</source>
        <translation>In den Einstellungen gibt es jederzeit mehr zu wählen.</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>When it may run</source>
        <translation>Wann es laufen darf</translation>
    </message>
    <message>
        <source>While you use the computer</source>
        <translation>Während du den Computer benutzt</translation>
    </message>
    <message>
        <source>Run gently</source>
        <translation>Sanft laufen</translation>
    </message>
    <message>
        <source>Run as always</source>
        <translation>Laufen wie immer</translation>
    </message>
    <message>
        <source>Gently: at most half of the time.</source>
        <translation>Sanft: höchstens die Hälfte der Zeit.</translation>
    </message>
    <message>
        <source>On battery</source>
        <translation>Im Akkubetrieb</translation>
    </message>
    <message>
        <source>Run until it is low</source>
        <translation>Laufen, bis er schwach ist</translation>
    </message>
    <message>
        <source>Practice uses a battery up quickly.</source>
        <translation>Üben leert einen Akku schnell.</translation>
    </message>
    <message>
        <source>Hours</source>
        <translation>Stunden</translation>
    </message>
    <message>
        <source>At any hour</source>
        <translation>Zu jeder Stunde</translation>
    </message>
    <message>
        <source>At night</source>
        <translation>Nachts</translation>
    </message>
    <message>
        <source>Outside working hours</source>
        <translation>Außerhalb der Arbeitszeit</translation>
    </message>
    <message>
        <source>While the computer is on: it is never woken up.</source>
        <translation>Solange der Computer an ist: Er wird nie geweckt.</translation>
    </message>
    <message>
        <source>As in the settings</source>
        <translation>Wie in den Einstellungen</translation>
    </message>
</context>
<context>
    <name>TimesSection</name>
    <message>
        <source>Hours of the week</source>
        <translation>Stunden der Woche</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Run gently</source>
        <translation>Sanft laufen</translation>
    </message>
    <message>
        <source>Run as always</source>
        <translation>Laufen wie immer</translation>
    </message>
    <message>
        <source>Run until it is low</source>
        <translation>Laufen, bis er schwach ist</translation>
    </message>
    <message>
        <source>Making way for you</source>
        <translation>Dir Platz machen</translation>
    </message>
    <message>
        <source>While you use the computer</source>
        <translation>Während du den Computer benutzt</translation>
    </message>
    <message>
        <source>Gently: at most half of the time.</source>
        <translation>Sanft: höchstens die Hälfte der Zeit.</translation>
    </message>
    <message>
        <source>During full screen</source>
        <translation>Bei Vollbild</translation>
    </message>
    <message>
        <source>Games, films and talks.</source>
        <translation>Spiele, Filme und Vorträge.</translation>
    </message>
    <message>
        <source>On battery</source>
        <translation>Im Akkubetrieb</translation>
    </message>
    <message>
        <source>{} minutes</source>
        <translation>{} Minuten</translation>
    </message>
    <message>
        <source>You are away after</source>
        <translation>Du bist weg nach</translation>
    </message>
    <message>
        <source>1 minute</source>
        <translation>1 Minute</translation>
    </message>
    <message>
        <source>Without touching mouse or keyboard.</source>
        <translation>Ohne Berührung von Maus oder Tastatur.</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nie</translation>
    </message>
    <message>
        <source>At any hour</source>
        <translation>Zu jeder Stunde</translation>
    </message>
    <message>
        <source>At night</source>
        <translation>Nachts</translation>
    </message>
    <message>
        <source>The battery is low below</source>
        <translation>Der Akku ist schwach unter</translation>
    </message>
    <message>
        <source>Never mind</source>
        <translation>Egal</translation>
    </message>
    <message>
        <source>Pause above {}</source>
        <translation>Pausieren über {}</translation>
    </message>
    <message>
        <source>When the computer is under strain</source>
        <translation>Wenn der Computer stark belastet ist</translation>
    </message>
    <message>
        <source>When other programs are busy</source>
        <translation>Wenn andere Programme arbeiten</translation>
    </message>
    <message>
        <source>For a minute, of all that the processor can do.</source>
        <translation>Eine Minute lang, von allem, was der Prozessor kann.</translation>
    </message>
    <message>
        <source>When the computer gets hot</source>
        <translation>Wenn der Computer heiß wird</translation>
    </message>
    <message>
        <source>Where this computer tells how hot it is.</source>
        <translation>Wo dieser Computer sagt, wie heiß er ist.</translation>
    </message>
    <message>
        <source>Filled hours run. Click or drag to paint, or use the arrow keys and the space bar; the name of a day or an hour paints all of it.</source>
        <translation>Gefüllte Stunden laufen. Klick oder zieh zum Malen, oder benutze Pfeiltasten und Leertaste; der Name eines Tages oder einer Stunde malt alles davon.</translation>
    </message>
    <message>
        <source>Outside working hours</source>
        <translation>Außerhalb der Arbeitszeit</translation>
    </message>
</context>
<context>
    <name>TokenForm</name>
    <message>
        <source>Access token of huggingface.co</source>
        <translation>Zugangsschlüssel von huggingface.co</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Forget it</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>This computer keeps one where it keeps passwords. Only Hugging Face is shown it.</source>
        <translation>Dieser Computer bewahrt einen dort auf, wo er Passwörter aufbewahrt. Nur Hugging Face bekommt ihn zu sehen.</translation>
    </message>
    <message>
        <source>Make one on huggingface.co/settings/tokens. This computer keeps it where it keeps passwords.</source>
        <translation>Erstelle einen auf huggingface.co/settings/tokens. Dieser Computer bewahrt ihn dort auf, wo er Passwörter aufbewahrt.</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Open Waggle</source>
        <translation>Waggle öffnen</translation>
    </message>
    <message>
        <source>Join swarm</source>
        <translation>Dem Schwarm beitreten</translation>
    </message>
    <message>
        <source>Pause for a while</source>
        <translation>Für eine Weile pausieren</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
</context>
<context>
    <name>TroubleNotice</name>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Open the log folder</source>
        <translation>Protokolle öffnen</translation>
    </message>
    <message>
        <source>Make a support file…</source>
        <translation>Datei für Hilfe erstellen…</translation>
    </message>
</context>
<context>
    <name>TroublePage</name>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Waggle cannot start yet</source>
        <translation>Waggle kann noch nicht starten</translation>
    </message>
</context>
<context>
    <name>TryForm</name>
    <message>
        <source>A puzzle</source>
        <translation>Ein Rätsel</translation>
    </message>
    <message>
        <source>Your own words</source>
        <translation>Deine eigenen Worte</translation>
    </message>
    <message>
        <source>Of any kind</source>
        <translation>Irgendeiner Art</translation>
    </message>
    <message>
        <source>Kind of puzzle</source>
        <translation>Art des Rätsels</translation>
    </message>
    <message>
        <source>Ask something, for example: What is 17 + 25?</source>
        <translation>Frag etwas, zum Beispiel: What is 17 + 25?</translation>
    </message>
</context>
<context>
    <name>TryView</name>
    <message>
        <source>Ask</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>Ausprobieren</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Wird angehalten…</translation>
    </message>
    <message>
        <source>Waking the model up…</source>
        <translation>Das Modell wird geweckt…</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>Es denkt nach…</translation>
    </message>
    <message>
        <source>Asking…</source>
        <translation>Wird gefragt…</translation>
    </message>
    <message>
        <source>Another model was asked. Ask again to see what this one says.</source>
        <translation>Gefragt wurde ein anderes Modell. Frag noch einmal, um zu sehen, was dieses sagt.</translation>
    </message>
    <message>
        <source>The answers will stand here: those of the model as it was before any practice, and beside them those of today.</source>
        <translation>Hier werden die Antworten stehen: die des Modells, wie es vor allem Üben war, und daneben die von heute.</translation>
    </message>
    <message>
        <source>Ask the same before and after practice</source>
        <translation>Dasselbe fragen, vor und nach dem Üben</translation>
    </message>
</context>
<context>
    <name>UpdateCard</name>
    <message>
        <source>This Waggle</source>
        <translation>Dieses Waggle</translation>
    </message>
    <message>
        <source>Look now</source>
        <translation>Jetzt nachsehen</translation>
    </message>
    <message>
        <source>Install and open again</source>
        <translation>Installieren und neu öffnen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Waggle stays open. Practice stops after the round that was under way.</source>
        <translation>Waggle bleibt offen. Nach der Runde, die gerade lief, hört das Üben auf.</translation>
    </message>
    <message>
        <source>Asking the update source…</source>
        <translation>Die Quelle der Aktualisierungen wird gefragt…</translation>
    </message>
    <message>
        <source>Looking for the newest…</source>
        <translation>Das neueste wird gesucht…</translation>
    </message>
    <message>
        <source>Ready. This round is finished first, then Waggle closes.</source>
        <translation>Bereit. Zuerst wird diese Runde fertig, dann schließt sich Waggle.</translation>
    </message>
</context>
<context>
    <name>Updates</name>
    <message>
        <source>This is Waggle {}.</source>
        <translation>Das ist Waggle {}.</translation>
    </message>
    <message>
        <source>Waggle {} is the newest.</source>
        <translation>Waggle {} ist das neueste.</translation>
    </message>
    <message>
        <source>Waggle {newest} is there. You have {installed}.</source>
        <translation>Waggle {newest} ist da. Du hast {installed}.</translation>
    </message>
    <message>
        <source>Looking for the newest…</source>
        <translation>Das neueste wird gesucht…</translation>
    </message>
    <message>
        <source>Downloading: {done} of {total}</source>
        <translation>Wird geladen: {done} von {total}</translation>
    </message>
    <message>
        <source>Unpacking it and trying it out…</source>
        <translation>Wird ausgepackt und ausprobiert…</translation>
    </message>
    <message>
        <source>It came as a package of your system. Your system&apos;s package manager updates Waggle, and Waggle leaves that alone.</source>
        <translation>Es kam als Paket deines Systems. Dessen Paketverwaltung aktualisiert Waggle, und Waggle mischt sich da nicht ein.</translation>
    </message>
    <message>
        <source>It runs from its source. Update it the way you got it; Waggle leaves that alone.</source>
        <translation>Es läuft aus seinem Quelltext. Aktualisiere es so, wie du es bekommen hast; Waggle mischt sich da nicht ein.</translation>
    </message>
    <message>
        <source>It lies in {place}, which you may not change. Ask whoever put it there, or move it to a folder of your own.</source>
        <translation>Es liegt in {place}, und das darfst du nicht ändern. Frag, wer es dorthin gelegt hat, oder verschieb es in einen eigenen Ordner.</translation>
    </message>
    <message>
        <source>No update source is built into it. Get newer ones from where you got this one.</source>
        <translation>Es ist keine Quelle der Aktualisierungen eingebaut. Hol neuere dort, woher du dieses hast.</translation>
    </message>
    <message>
        <source>Waggle {} did not start here, so the one before came back.</source>
        <translation>Waggle {} startete hier nicht, darum kam das vorige zurück.</translation>
    </message>
    <message>
        <source>It could not be put in place, since something of Waggle ran on without the window, such as practice in a terminal. End that, then install it again.</source>
        <translation>Sie konnte nicht eingesetzt werden, weil etwas von Waggle ohne das Fenster weiterlief, etwa das Üben in einem Terminal. Beende das, dann installiere noch einmal.</translation>
    </message>
    <message>
        <source>{} to download.</source>
        <translation>{} zu laden.</translation>
    </message>
    <message>
        <source>Last looked: {}.</source>
        <translation>Zuletzt nachgesehen: {}.</translation>
    </message>
</context>
<context>
    <name>UpdatesSection</name>
    <message>
        <source>When there is something newer</source>
        <translation>Wenn es etwas Neueres gibt</translation>
    </message>
    <message>
        <source>Tell me</source>
        <translation>Sag es mir</translation>
    </message>
    <message>
        <source>Install it by itself</source>
        <translation>Von selbst installieren</translation>
    </message>
    <message>
        <source>Never look</source>
        <translation>Nie nachsehen</translation>
    </message>
    <message>
        <source>By itself it is installed when you quit Waggle, never during a round.</source>
        <translation>Von selbst installiert wird es, wenn du Waggle beendest, nie während einer Runde.</translation>
    </message>
    <message>
        <source>Newer releases</source>
        <translation>Neuere Versionen</translation>
    </message>
</context>
<context>
    <name>Updating</name>
    <message>
        <source>There is a newer Waggle: {}</source>
        <translation>Es gibt ein neueres Waggle: {}</translation>
    </message>
    <message>
        <source>To install it, open Settings, Updates.</source>
        <translation>Um es zu installieren, öffne Einstellungen, Aktualisierungen.</translation>
    </message>
</context>
<context>
    <name>WeekGrid</name>
    <message>
        <source>Hours of the week</source>
        <translation>Stunden der Woche</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>does not run</source>
        <translation>läuft nicht</translation>
    </message>
</context>
<context>
    <name>WelcomeWizard</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Begin</source>
        <translation>Los geht’s</translation>
    </message>
</context>
<context>
    <name>WindowSection</name>
    <message>
        <source>Start with the computer</source>
        <translation>Mit dem Computer starten</translation>
    </message>
    <message>
        <source>Asking the system…</source>
        <translation>Das System wird gefragt…</translation>
    </message>
    <message>
        <source>As the system has it</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Looks</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>Light or dark</source>
        <translation>Hell oder dunkel</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>Honey</source>
        <translation>Honig</translation>
    </message>
    <message>
        <source>Sea</source>
        <translation>Meer</translation>
    </message>
    <message>
        <source>In both, nothing is told by red and green alone.</source>
        <translation>In beiden wird nichts nur durch Rot und Grün gesagt.</translation>
    </message>
    <message>
        <source>Quietly, without a window in your way, and begins to practise, within your rules. The system has the last word on it.</source>
        <translation>Leise, ohne ein Fenster im Weg, und beginnt zu üben, nach deinen Regeln. Das letzte Wort hat das System.</translation>
    </message>
    <message>
        <source>Few: when practice stops for trouble, at a milestone, and when there is a newer Waggle. Never for rounds.</source>
        <translation>Wenige: wenn das Üben wegen einer Störung aufhört, bei einem Meilenstein, und wenn es ein neueres Waggle gibt. Nie für Runden.</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Words of this window</source>
        <translation>Worte dieses Fensters</translation>
    </message>
    <message>
        <source>Counts from the next start of Waggle.</source>
        <translation>Gilt ab dem nächsten Start von Waggle.</translation>
    </message>
    <message>
        <source>Stay in the tray when the window is closed</source>
        <translation>Im Infobereich bleiben, wenn das Fenster geschlossen wird</translation>
    </message>
    <message>
        <source>Practice goes on, and a small icon leads back to the window.</source>
        <translation>Das Üben geht weiter, und ein kleines Symbol führt zum Fenster zurück.</translation>
    </message>
    <message>
        <source>This desktop has no tray. Closing the window ends practice.</source>
        <translation>Dieser Desktop hat keinen Infobereich. Das Schließen des Fensters beendet das Üben.</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>Benachrichtigungen</translation>
    </message>
    <message>
        <source>While you do other things</source>
        <translation>Während du anderes tust</translation>
    </message>
</context>
<context>
    <name>_Facts</name>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Others see you as</source>
        <translation>Dein Name für andere</translation>
    </message>
    <message>
        <source>Rounds finished</source>
        <translation>Fertige Runden</translation>
    </message>
    <message>
        <source>Last round</source>
        <translation>Letzte Runde</translation>
    </message>
    <message>
        <source>not yet</source>
        <translation>noch nicht</translation>
    </message>
    <message>
        <source>{} puzzles tried</source>
        <translation>{} Rätsel versucht</translation>
    </message>
    <message>
        <source>1 puzzle tried</source>
        <translation>1 Rätsel versucht</translation>
    </message>
    <message>
        <source>{tried},
and {others} of others looked at</source>
        <translation>{tried},
dazu {others} von anderen</translation>
    </message>
</context>
<context>
    <name>_HubRow</name>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove {}</source>
        <translation>{} entfernen</translation>
    </message>
</context>
<context>
    <name>_Parts</name>
    <message>
        <source>Waggle brings {} parts along that others made. Thank you.</source>
        <translation>Waggle bringt {} Teile mit, die andere gemacht haben. Danke.</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>Text of the licence</source>
        <translation>Text der Lizenz</translation>
    </message>
    <message>
        <source>It comes without a text of its own.</source>
        <translation>Es kommt ohne eigenen Text.</translation>
    </message>
</context>
<context>
    <name>_PersonRow</name>
    <message>
        <source>Unblock</source>
        <translation>Freigeben</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Blockieren</translation>
    </message>
</context>
<context>
    <name>_Removed</name>
    <message>
        <source>Bring it back</source>
        <translation>Zurückholen</translation>
    </message>
    <message>
        <source>Removed {}; it is asked no more from the next start of practice on.</source>
        <translation>{} entfernt; ab dem nächsten Start des Übens wird er nicht mehr gefragt.</translation>
    </message>
    <message>
        <source>Removed {}, but the invite of your swarm names it, too.</source>
        <translation>{} entfernt, aber auch die Einladung deines Schwarms nennt ihn.</translation>
    </message>
</context>
</TS>
