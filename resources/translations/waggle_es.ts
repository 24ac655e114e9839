<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="es" sourcelanguage="en">
<context>
    <name>AddForm</name>
    <message>
        <source>Name of a model on Hugging Face</source>
        <translation>Nombre de un modelo en Hugging Face</translation>
    </message>
    <message>
        <source>Look it up</source>
        <translation>Buscarlo</translation>
    </message>
    <message>
        <source>Another model</source>
        <translation>Otro modelo</translation>
    </message>
    <message>
        <source>Any small model of the Llama or Qwen family, by its name on huggingface.co. Nothing is fetched before you have seen how large it is and whether it fits.</source>
        <translation>Cualquier modelo pequeño de la familia Llama o Qwen, por su nombre en huggingface.co. No se descarga nada antes de que veas lo grande que es y si cabe.</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Buscando…</translation>
    </message>
    <message>
        <source>Write it as owner/name, as its page on huggingface.co shows it.</source>
        <translation>Escríbelo como propietario/nombre, tal como aparece en su página de huggingface.co.</translation>
    </message>
</context>
<context>
    <name>AmountsSection</name>
    <message>
        <source>Processor</source>
        <translation>Procesador</translation>
    </message>
    <message>
        <source>Cores at work</source>
        <translation>Núcleos trabajando</translation>
    </message>
    <message>
        <source>As many as help</source>
        <translation>Tantos como ayuden</translation>
    </message>
    <message>
        <source>Counts from the next start of practice. Small models need only one.</source>
        <translation>Vale desde el próximo inicio de la práctica. Los modelos pequeños solo necesitan uno.</translation>
    </message>
    <message>
        <source>Share of the time</source>
        <translation>Parte del tiempo</translation>
    </message>
    <message>
        <source>All of it</source>
        <translation>Todo</translation>
    </message>
    <message>
        <source>It rests between rounds: cooler, quieter, and slower to learn.</source>
        <translation>Descansa entre rondas: más fresco, más silencioso y más lento al aprender.</translation>
    </message>
    <message>
        <source>Never mind</source>
        <translation>No importa</translation>
    </message>
    <message>
        <source>Left for everything else</source>
        <translation>Queda para todo lo demás</translation>
    </message>
    <message>
        <source>Memory that stays free</source>
        <translation>Memoria que queda libre</translation>
    </message>
    <message>
        <source>Practice pauses while less than this is free.</source>
        <translation>La práctica se pausa mientras haya menos que esto libre.</translation>
    </message>
    <message>
        <source>Disk space that stays free</source>
        <translation>Espacio en disco que queda libre</translation>
    </message>
    <message>
        <source>A round exchanges a few kilobytes of text, so there is nothing to limit. Models are large; they are only fetched when you ask for one.</source>
        <translation>Una ronda intercambia unos pocos kilobytes de texto, así que no hay nada que limitar. Los modelos son grandes; solo se descargan cuando pides uno.</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Red</translation>
    </message>
</context>
<context>
    <name>AnswerList</name>
    <message>
        <source>{} times</source>
        <translation>{} veces</translation>
    </message>
    <message>
        <source>{verdict}, {times} times</source>
        <translation>{verdict}, {times} veces</translation>
    </message>
</context>
<context>
    <name>BarChart</name>
    <message>
        <source>Chart: practice per day</source>
        <translation>Gráfico: práctica por día</translation>
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
        <translation>Hoy</translation>
    </message>
    <message>
        <source>{day}: no practice</source>
        <translation>{day}: sin práctica</translation>
    </message>
    <message>
        <source>{solved} of {tried} tries solved</source>
        <translation>{solved} de {tried} intentos resueltos</translation>
    </message>
    <message>
        <source>1 round</source>
        <translation>1 ronda</translation>
    </message>
    <message>
        <source>{} rounds</source>
        <translation>{} rondas</translation>
    </message>
    <message>
        <source>Looking up what was practised here…</source>
        <translation>Mirando lo que se practicó aquí…</translation>
    </message>
    <message>
        <source>Your contribution</source>
        <translation>Tu contribución</translation>
    </message>
    <message>
        <source>You practised {} on one day.</source>
        <translation>Practicaste {} en un día.</translation>
    </message>
    <message>
        <source>You practised {time} on {days} days.</source>
        <translation>Practicaste {time} en {days} días.</translation>
    </message>
    <message>
        <source>Your model&apos;s tries helped 1 other.</source>
        <translation>Los intentos de tu modelo ayudaron a 1 más.</translation>
    </message>
    <message>
        <source>Your model&apos;s tries helped {} others.</source>
        <translation>Los intentos de tu modelo ayudaron a {} más.</translation>
    </message>
    <message>
        <source>Nothing practised yet.</source>
        <translation>Aún no se ha practicado nada.</translation>
    </message>
    <message>
        <source>From the first round on, what your computer contributes is counted here: rounds, hours, puzzles, and whom it helped.</source>
        <translation>Desde la primera ronda, aquí se cuenta lo que aporta tu ordenador: rondas, horas, acertijos y a quién ayudó.</translation>
    </message>
    <message>
        <source>Counted since {}, all models together. Nothing here earns money.</source>
        <translation>Contado desde {}, todos los modelos juntos. Aquí no se gana dinero.</translation>
    </message>
    <message>
        <source>rounds</source>
        <translation>rondas</translation>
    </message>
    <message>
        <source>puzzle tries</source>
        <translation>intentos de acertijos</translation>
    </message>
    <message>
        <source>right answers</source>
        <translation>respuestas correctas</translation>
    </message>
    <message>
        <source>tokens written</source>
        <translation>tokens escritos</translation>
    </message>
    <message>
        <source>Training small language models together. {}</source>
        <translation>Entrenando juntos pequeños modelos de lenguaje. {}</translation>
    </message>
    <message>
        <source>{} of practice on one day</source>
        <translation>{} de práctica en un día</translation>
    </message>
    <message>
        <source>{time} of practice on {days} days</source>
        <translation>{time} de práctica en {days} días</translation>
    </message>
    <message>
        <source>Helped 1 other to learn.</source>
        <translation>Ayudó a 1 más a aprender.</translation>
    </message>
    <message>
        <source>Helped {} others to learn.</source>
        <translation>Ayudó a {} más a aprender.</translation>
    </message>
    <message>
        <source>{have} of {goal}</source>
        <translation>{have} de {goal}</translation>
    </message>
    <message>
        <source>The first round</source>
        <translation>La primera ronda</translation>
    </message>
    <message>
        <source>{} hours of practice</source>
        <translation>{} horas de práctica</translation>
    </message>
    <message>
        <source>{} days in a row</source>
        <translation>{} días seguidos</translation>
    </message>
    <message>
        <source>The first other helped</source>
        <translation>La primera ayuda a otro</translation>
    </message>
    <message>
        <source>{} others helped</source>
        <translation>{} ayudados</translation>
    </message>
    <message>
        <source>Practised</source>
        <translation>Practicado</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>Rondas</translation>
    </message>
    <message>
        <source>Tokens written</source>
        <translation>Tokens escritos</translation>
    </message>
    <message>
        <source>pieces of text</source>
        <translation>trozos de texto</translation>
    </message>
    <message>
        <source>Days in a row</source>
        <translation>Días seguidos</translation>
    </message>
    <message>
        <source>longest: {}</source>
        <translation>la mayor racha: {}</translation>
    </message>
    <message>
        <source>none today</source>
        <translation>hoy ninguna</translation>
    </message>
    <message>
        <source>{} today</source>
        <translation>{} hoy</translation>
    </message>
    <message>
        <source>Puzzle tries</source>
        <translation>Intentos de acertijos</translation>
    </message>
    <message>
        <source>Right answers</source>
        <translation>Respuestas correctas</translation>
    </message>
    <message>
        <source>{} of the tries</source>
        <translation>{} de los intentos</translation>
    </message>
    <message>
        <source>without 1 early round</source>
        <translation>sin 1 ronda temprana</translation>
    </message>
    <message>
        <source>without {} early rounds</source>
        <translation>sin {} rondas tempranas</translation>
    </message>
    <message>
        <source>Puzzles shared</source>
        <translation>Acertijos compartidos</translation>
    </message>
    <message>
        <source>nobody else was there yet</source>
        <translation>aún no había nadie más</translation>
    </message>
    <message>
        <source>with all tries at them</source>
        <translation>con todos sus intentos</translation>
    </message>
    <message>
        <source>Others helped</source>
        <translation>Otros ayudados</translation>
    </message>
    <message>
        <source>in no swarm so far</source>
        <translation>hasta ahora en ningún enjambre</translation>
    </message>
    <message>
        <source>nobody said so yet</source>
        <translation>nadie lo ha dicho aún</translation>
    </message>
    <message>
        <source>1 thank-you</source>
        <translation>1 agradecimiento</translation>
    </message>
    <message>
        <source>{} thank-yous</source>
        <translation>{} agradecimientos</translation>
    </message>
    <message>
        <source>counted from now on</source>
        <translation>se cuenta desde ahora</translation>
    </message>
    <message>
        <source>Not known yet</source>
        <translation>Aún no se sabe</translation>
    </message>
    <message>
        <source>{} billion</source>
        <translation>{} mil millones</translation>
    </message>
    <message>
        <source>{} million</source>
        <translation>{} millones</translation>
    </message>
    <message>
        <source>1 minute</source>
        <translation>1 minuto</translation>
    </message>
    <message>
        <source>{} minutes</source>
        <translation>{} minutos</translation>
    </message>
    <message>
        <source>1 hour</source>
        <translation>1 hora</translation>
    </message>
    <message>
        <source>{} hours</source>
        <translation>{} horas</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <comment>a date, in the letters of QLocale</comment>
        <translation>d MMM yyyy</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>a date, in the letters of QLocale</comment>
        <translation>d MMM</translation>
    </message>
    <message>
        <source>dddd, d MMM</source>
        <comment>a date, in the letters of QLocale</comment>
        <translation>dddd, d MMM</translation>
    </message>
    <message>
        <source>less than a second</source>
        <translation>menos de un segundo</translation>
    </message>
    <message>
        <source>1 second</source>
        <translation>1 segundo</translation>
    </message>
    <message>
        <source>{} seconds</source>
        <translation>{} segundos</translation>
    </message>
</context>
<context>
    <name>ContributionPage</name>
    <message>
        <source>Saved: {}</source>
        <translation>Guardado: {}</translation>
    </message>
    <message>
        <source>Show the folder</source>
        <translation>Mostrar la carpeta</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Intentar de nuevo</translation>
    </message>
    <message>
        <source>Go to Home</source>
        <translation>Ir a Inicio</translation>
    </message>
    <message>
        <source>Join the swarm on the page Home: the first round counts.</source>
        <translation>Únete al enjambre en la página Inicio: la primera ronda cuenta.</translation>
    </message>
</context>
<context>
    <name>DataCard</name>
    <message>
        <source>What is kept here</source>
        <translation>Lo que se guarda aquí</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Buscando…</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Abrir la carpeta</translation>
    </message>
</context>
<context>
    <name>DaysCard</name>
    <message>
        <source>Practice per day</source>
        <translation>Práctica por día</translation>
    </message>
    <message>
        <source>Month</source>
        <translation>Mes</translation>
    </message>
    <message>
        <source>3 months</source>
        <translation>3 meses</translation>
    </message>
    <message>
        <source>Year</source>
        <translation>Año</translation>
    </message>
    <message>
        <source>Show: {}</source>
        <translation>Mostrar: {}</translation>
    </message>
</context>
<context>
    <name>DeskClient</name>
    <message>
        <source>The helper of this window ended before it was done. Try again.</source>
        <translation>El ayudante de esta ventana terminó antes de acabar. Inténtalo de nuevo.</translation>
    </message>
</context>
<context>
    <name>Dots</name>
    <message>
        <source>Step {step} of {count}</source>
        <translation>Paso {step} de {count}</translation>
    </message>
</context>
<context>
    <name>ExamChart</name>
    <message>
        <source>before</source>
        <translation>antes</translation>
    </message>
    <message>
        <source>now</source>
        <translation>ahora</translation>
    </message>
</context>
<context>
    <name>ExamView</name>
    <message>
        <source>Take the exam</source>
        <translation>Hacer el examen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>What has {} learnt?</source>
        <translation>¿Qué ha aprendido {}?</translation>
    </message>
    <message>
        <source>The exam was ended; nothing of it is kept.</source>
        <translation>El examen se terminó; no se guarda nada de él.</translation>
    </message>
    <message>
        <source>Getting ready…</source>
        <translation>Preparando…</translation>
    </message>
    <message>
        <source>A single kind proves little.</source>
        <translation>Un solo tipo prueba poco.</translation>
    </message>
    <message>
        <source>No exam was taken yet. It shows what practice has brought, kind by kind, and how sure that is.</source>
        <translation>Aún no se hizo ningún examen. Muestra lo que ha traído la práctica, tipo por tipo, y con qué seguridad.</translation>
    </message>
    <message>
        <source>How many puzzles</source>
        <translation>Cuántos acertijos</translation>
    </message>
    <message>
        <source>Quick: {} puzzles</source>
        <translation>Rápido: {} acertijos</translation>
    </message>
    <message>
        <source>Usual: {} puzzles</source>
        <translation>Normal: {} acertijos</translation>
    </message>
    <message>
        <source>Thorough: {} puzzles</source>
        <translation>A fondo: {} acertijos</translation>
    </message>
    <message>
        <source>How far the exam is</source>
        <translation>Cuánto lleva el examen</translation>
    </message>
    <message>
        <source>The exam asks puzzles that it never practised, the same for everyone: first the model as it is now, then as it was before any practice. Practice may go on meanwhile.</source>
        <translation>El examen plantea acertijos que nunca practicó, los mismos para todos: primero al modelo como es ahora, luego como era antes de practicar. Mientras tanto la práctica puede seguir.</translation>
    </message>
    <message>
        <source>Exam</source>
        <translation>Examen</translation>
    </message>
</context>
<context>
    <name>Farewell</name>
    <message>
        <source>remove</source>
        <translation>borrar</translation>
    </message>
    <message>
        <source>Remove everything</source>
        <translation>Borrarlo todo</translation>
    </message>
    <message>
        <source>The word that confirms it</source>
        <translation>La palabra que lo confirma</translation>
    </message>
    <message>
        <source>Keep everything</source>
        <translation>Conservarlo todo</translation>
    </message>
    <message>
        <source>Really remove everything?</source>
        <translation>¿Borrar de verdad todo?</translation>
    </message>
    <message>
        <source>Your identity, what your models learnt, fetched models, rounds, scores and settings are deleted from this computer. Nothing of it can be brought back; what others have of your model&apos;s answers stays with them for a while.</source>
        <translation>Tu identidad, lo que aprendieron tus modelos, los modelos descargados, las rondas, las puntuaciones y los ajustes se borran de este ordenador. Nada de ello se puede recuperar; lo que otros tienen de las respuestas de tu modelo se queda con ellos un tiempo.</translation>
    </message>
    <message>
        <source>To keep who you are, or a model, back it up or export it before.</source>
        <translation>Para conservar quién eres, o un modelo, haz antes una copia o expórtalo.</translation>
    </message>
    <message>
        <source>To go on, type the word: {word}</source>
        <translation>Para seguir, escribe la palabra: {word}</translation>
    </message>
    <message>
        <source>Remove everything?</source>
        <translation>¿Borrarlo todo?</translation>
    </message>
</context>
<context>
    <name>Findings</name>
    <message>
        <source>works</source>
        <translation>funciona</translation>
    </message>
    <message>
        <source>does not work, and is not needed</source>
        <translation>no funciona, y no hace falta</translation>
    </message>
    <message>
        <source>needs you</source>
        <translation>te necesita</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Este ordenador</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Memoria</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Disco</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Ajustes</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelos</translation>
    </message>
    <message>
        <source>Trying puzzles</source>
        <translation>Intentar acertijos</translation>
    </message>
    <message>
        <source>Checking answers safely</source>
        <translation>Comprobar respuestas con seguridad</translation>
    </message>
    <message>
        <source>Others on this network</source>
        <translation>Otros en esta red</translation>
    </message>
    <message>
        <source>Being asked by others</source>
        <translation>Que otros pregunten</translation>
    </message>
    <message>
        <source>Meeting points</source>
        <translation>Puntos de encuentro</translation>
    </message>
    <message>
        <source>Meeting point</source>
        <translation>Punto de encuentro</translation>
    </message>
    <message>
        <source>Others on the internet</source>
        <translation>Otros en internet</translation>
    </message>
    <message>
        <source>Battery</source>
        <translation>Batería</translation>
    </message>
    <message>
        <source>Whether you use the computer</source>
        <translation>Si usas el ordenador</translation>
    </message>
    <message>
        <source>How busy other programs are</source>
        <translation>Lo ocupados que están otros programas</translation>
    </message>
    <message>
        <source>Heat</source>
        <translation>Calor</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>Pantalla completa</translation>
    </message>
    <message>
        <source>Programs that run</source>
        <translation>Programas en marcha</translation>
    </message>
    <message>
        <source>This computer can practise.</source>
        <translation>Este ordenador puede practicar.</translation>
    </message>
    <message>
        <source>One thing keeps this computer from practising.</source>
        <translation>Una cosa impide practicar a este ordenador.</translation>
    </message>
    <message>
        <source>{count} things keep this computer from practising.</source>
        <translation>{count} cosas impiden practicar a este ordenador.</translation>
    </message>
</context>
<context>
    <name>FindingsCard</name>
    <message>
        <source>What works here</source>
        <translation>Qué funciona aquí</translation>
    </message>
    <message>
        <source>Not looked yet.</source>
        <translation>Aún no se ha mirado.</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Mirar de nuevo</translation>
    </message>
    <message>
        <source>Looking at everything; this takes a few seconds…</source>
        <translation>Mirándolo todo; tarda unos segundos…</translation>
    </message>
</context>
<context>
    <name>FoundCard</name>
    <message>
        <source>Start a swarm of your own</source>
        <translation>Crear un enjambre propio</translation>
    </message>
    <message>
        <source>Its name</source>
        <translation>Su nombre</translation>
    </message>
    <message>
        <source>our-class</source>
        <translation>nuestra-clase</translation>
    </message>
    <message>
        <source>Private: by invite only</source>
        <translation>Privado: solo con invitación</translation>
    </message>
    <message>
        <source>Open to anybody</source>
        <translation>Abierto a todos</translation>
    </message>
    <message>
        <source>Meeting points, if there are any; a space between them</source>
        <translation>Puntos de encuentro, si los hay; separados por un espacio</translation>
    </message>
    <message>
        <source>https://hub.example.org</source>
        <translation>https://hub.example.org</translation>
    </message>
    <message>
        <source>Make the invite</source>
        <translation>Crear la invitación</translation>
    </message>
    <message>
        <source>Give it a name first, such as our-class.</source>
        <translation>Ponle primero un nombre, como our-class.</translation>
    </message>
    <message>
        <source>An invite names up to {} meeting points.</source>
        <translation>Una invitación nombra como mucho {} puntos de encuentro.</translation>
    </message>
</context>
<context>
    <name>Home</name>
    <message>
        <source>Train a small language model, together.</source>
        <translation>Entrena un pequeño modelo de lenguaje, en compañía.</translation>
    </message>
    <message>
        <source>Getting {} ready.</source>
        <translation>Preparando {}.</translation>
    </message>
    <message>
        <source>Choose a model and join. It practises puzzles, and you watch how it does.</source>
        <translation>Elige un modelo y únete. Practica acertijos, y tú miras cómo le va.</translation>
    </message>
    <message>
        <source>What it learnt here before comes back with it.</source>
        <translation>Lo que aprendió aquí antes vuelve con él.</translation>
    </message>
    <message>
        <source>Practice was interrupted: {reason}. Starting again in {seconds} s.</source>
        <translation>La práctica se interrumpió: {reason}. Nuevo inicio en {seconds} s.</translation>
    </message>
    <message>
        <source>Practice was interrupted too often.</source>
        <translation>La práctica se interrumpió demasiadas veces.</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>Guardando…</translation>
    </message>
    <message>
        <source>Not practising.</source>
        <translation>Sin practicar.</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Deteniendo…</translation>
    </message>
    <message>
        <source>Going on…</source>
        <translation>Continuando…</translation>
    </message>
    <message>
        <source>Then it will pause.</source>
        <translation>Luego se pausará.</translation>
    </message>
    <message>
        <source>Then it will finish.</source>
        <translation>Luego terminará.</translation>
    </message>
    <message>
        <source>Practising: round {}.</source>
        <translation>Practicando: ronda {}.</translation>
    </message>
    <message>
        <source>Practising alone, as you chose.</source>
        <translation>Practica solo, como elegiste.</translation>
    </message>
    <message>
        <source>Looking for others…</source>
        <translation>Buscando a otros…</translation>
    </message>
    <message>
        <source>The swarm does not answer; practising alone.</source>
        <translation>El enjambre no responde; practica solo.</translation>
    </message>
    <message>
        <source>Nobody else is here yet; practising alone.</source>
        <translation>Aún no hay nadie más; practica solo.</translation>
    </message>
    <message>
        <source>1 other is here.</source>
        <translation>Hay 1 más.</translation>
    </message>
    <message>
        <source>{} others are here.</source>
        <translation>Hay {} más.</translation>
    </message>
    <message>
        <source>1 has learnt from your model&apos;s tries so far.</source>
        <translation>1 ha aprendido hasta ahora de los intentos de tu modelo.</translation>
    </message>
    <message>
        <source>{} have learnt from your model&apos;s tries so far.</source>
        <translation>{} han aprendido hasta ahora de los intentos de tu modelo.</translation>
    </message>
    <message>
        <source>The first points appear as soon as a round is finished.</source>
        <translation>Los primeros puntos aparecen en cuanto termina una ronda.</translation>
    </message>
    <message>
        <source>Here you will see how your model does, next to the swarm.
Join, and it begins.</source>
        <translation>Aquí verás cómo le va a tu modelo, junto al enjambre.
Únete, y empieza.</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pausar</translation>
    </message>
    <message>
        <source>Pausing…</source>
        <translation>Pausando…</translation>
    </message>
    <message>
        <source>Practice stopped by itself several times in a row: {}. Everything up to the last finished round is safe.</source>
        <translation>La práctica se detuvo sola varias veces seguidas: {}. Todo hasta la última ronda terminada está a salvo.</translation>
    </message>
    <message>
        <source>Go on anyway</source>
        <translation>Continuar igualmente</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Continuar</translation>
    </message>
    <message>
        <source>Finishing…</source>
        <translation>Terminando…</translation>
    </message>
    <message>
        <source>Finish round and stop</source>
        <translation>Terminar la ronda y parar</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Detener</translation>
    </message>
    <message>
        <source>Changed models: {} practised before.</source>
        <translation>Cambio de modelo: antes practicaba {}.</translation>
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
        <translation>{} días</translation>
    </message>
    <message>
        <source>No practice for {}.</source>
        <translation>Sin práctica durante {}.</translation>
    </message>
    <message>
        <source>Round {}</source>
        <translation>Ronda {}</translation>
    </message>
    <message>
        <source>your model {}</source>
        <translation>tu modelo {}</translation>
    </message>
    <message>
        <source>swarm {}</source>
        <translation>enjambre {}</translation>
    </message>
    <message>
        <source>{} (mean {})</source>
        <translation>{} (media {})</translation>
    </message>
</context>
<context>
    <name>HostCard</name>
    <message>
        <source>Host a meeting point</source>
        <translation>Ofrecer un punto de encuentro</translation>
    </message>
    <message>
        <source>Open one on this computer</source>
        <translation>Abrir uno en este ordenador</translation>
    </message>
    <message>
        <source>Invite others to it</source>
        <translation>Invitar a otros a él</translation>
    </message>
    <message>
        <source>Meet others there, too</source>
        <translation>Encontrar también ahí a otros</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>Puerto</translation>
    </message>
    <message>
        <source>Its address from outside, if it has one</source>
        <translation>Su dirección desde fuera, si tiene una</translation>
    </message>
    <message>
        <source>https://hub.example.org</source>
        <translation>https://hub.example.org</translation>
    </message>
    <message>
        <source>Opening…</source>
        <translation>Abriendo…</translation>
    </message>
    <message>
        <source>A port is a number from {} to {}.</source>
        <translation>Un puerto es un número de {} a {}.</translation>
    </message>
</context>
<context>
    <name>HubsCard</name>
    <message>
        <source>Meeting points</source>
        <translation>Puntos de encuentro</translation>
    </message>
</context>
<context>
    <name>IdentityCard</name>
    <message>
        <source>A made-up name: neither yours nor your computer&apos;s. The key behind it proves that your model&apos;s answers are yours. Keep a backup to be the same one on another computer.</source>
        <translation>Un nombre inventado: ni el tuyo ni el de tu ordenador. La clave que hay detrás prueba que las respuestas de tu modelo son tuyas. Guarda una copia para ser el mismo en otro ordenador.</translation>
    </message>
    <message>
        <source>Who you are to others</source>
        <translation>Quién eres para los demás</translation>
    </message>
    <message>
        <source>Back up…</source>
        <translation>Hacer copia…</translation>
    </message>
    <message>
        <source>Restore…</source>
        <translation>Restaurar…</translation>
    </message>
    <message>
        <source>You get a name when you first join.</source>
        <translation>Recibes un nombre al unirte por primera vez.</translation>
    </message>
    <message>
        <source>Stop practice first.</source>
        <translation>Detén primero la práctica.</translation>
    </message>
    <message>
        <source>Back up your identity</source>
        <translation>Hacer copia de tu identidad</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>Escribiendo…</translation>
    </message>
    <message>
        <source>Restore an identity</source>
        <translation>Restaurar una identidad</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Leyendo…</translation>
    </message>
</context>
<context>
    <name>InviteCard</name>
    <message>
        <source>The link of the invite</source>
        <translation>El enlace de la invitación</translation>
    </message>
    <message>
        <source>Copy the link</source>
        <translation>Copiar el enlace</translation>
    </message>
    <message>
        <source>The link is too long for a QR code that a camera could read.</source>
        <translation>El enlace es demasiado largo para un código QR que una cámara pueda leer.</translation>
    </message>
    <message>
        <source>Join it yourself</source>
        <translation>Unirte tú mismo</translation>
    </message>
    <message>
        <source>Invite to {}</source>
        <translation>Invitación a {}</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Copiado</translation>
    </message>
</context>
<context>
    <name>JoinCard</name>
    <message>
        <source>Join another swarm</source>
        <translation>Unirse a otro enjambre</translation>
    </message>
    <message>
        <source>An invite, or the name of an open swarm</source>
        <translation>Una invitación, o el nombre de un enjambre abierto</translation>
    </message>
    <message>
        <source>waggle://join/…</source>
        <translation>waggle://join/…</translation>
    </message>
    <message>
        <source>See what it says</source>
        <translation>Ver qué dice</translation>
    </message>
    <message>
        <source>Join this swarm</source>
        <translation>Unirse a este enjambre</translation>
    </message>
</context>
<context>
    <name>JoinControls</name>
    <message>
        <source>Join swarm</source>
        <translation>Unirse al enjambre</translation>
    </message>
    <message>
        <source>Choose your model</source>
        <translation>Elige tu modelo</translation>
    </message>
    <message>
        <source>Works offline too. Stop whenever you like.</source>
        <translation>Funciona también sin conexión. Para cuando quieras.</translation>
    </message>
</context>
<context>
    <name>Keeping</name>
    <message>
        <source>Models that were fetched</source>
        <translation>Modelos descargados</translation>
    </message>
    <message>
        <source>What your models learnt</source>
        <translation>Lo que aprendieron tus modelos</translation>
    </message>
    <message>
        <source>Rounds and scores</source>
        <translation>Rondas y puntuaciones</translation>
    </message>
    <message>
        <source>Copies that can be made again</source>
        <translation>Copias que se pueden volver a hacer</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>Registros</translation>
    </message>
    <message>
        <source>{size} in all</source>
        <translation>{size} en total</translation>
    </message>
</context>
<context>
    <name>LiveView</name>
    <message>
        <source>Hold still</source>
        <translation>Mantener quieto</translation>
    </message>
    <message>
        <source>Open Home</source>
        <translation>Abrir Inicio</translation>
    </message>
    <message>
        <source>Show older ones</source>
        <translation>Mostrar anteriores</translation>
    </message>
    <message>
        <source>Puzzles, the newest on top</source>
        <translation>Acertijos, los más nuevos arriba</translation>
    </message>
</context>
<context>
    <name>MeetingSection</name>
    <message>
        <source>Your swarm</source>
        <translation>Tu enjambre</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>Proxy</translation>
    </message>
    <message>
        <source>As this computer does it</source>
        <translation>Como lo hace este ordenador</translation>
    </message>
    <message>
        <source>One that you were invited to.</source>
        <translation>Uno al que te invitaron.</translation>
    </message>
    <message>
        <source>Give it with its port, such as http://proxy:3128, or leave it empty.</source>
        <translation>Indícalo con su puerto, como http://proxy:3128, o déjalo vacío.</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>Puerto</translation>
    </message>
    <message>
        <source>Any free one</source>
        <translation>Cualquiera libre</translation>
    </message>
    <message>
        <source>Where others are met</source>
        <translation>Dónde se encuentra a otros</translation>
    </message>
    <message>
        <source>On this network</source>
        <translation>En esta red</translation>
    </message>
    <message>
        <source>Finds others who use the same router, without the internet.</source>
        <translation>Encuentra a otros en el mismo router, sin internet.</translation>
    </message>
    <message>
        <source>On the internet, without a meeting point</source>
        <translation>En internet, sin punto de encuentro</translation>
    </message>
    <message>
        <source>Looks for others through the BitTorrent network, and is found there. It shows this computer&apos;s internet address to those who look.</source>
        <translation>Busca a otros por la red BitTorrent, y ahí lo encuentran. Quien busca ve la dirección de internet de este ordenador.</translation>
    </message>
    <message>
        <source>Port for others</source>
        <translation>Puerto para otros</translation>
    </message>
    <message>
        <source>Only of interest where a router or a firewall has to know it.</source>
        <translation>Solo importa donde un router o un cortafuegos deba conocerlo.</translation>
    </message>
    <message>
        <source>This counts from the next start of practice.</source>
        <translation>Esto vale desde el próximo inicio de la práctica.</translation>
    </message>
    <message>
        <source>Open Swarm</source>
        <translation>Abrir Enjambre</translation>
    </message>
    <message>
        <source>The way to models and to meeting points outside, such as http://proxy:3128. Counts from the next start of Waggle.</source>
        <translation>El camino a los modelos y a los puntos de encuentro de fuera, como http://proxy:3128. Vale desde el próximo inicio de Waggle.</translation>
    </message>
</context>
<context>
    <name>MilestoneList</name>
    <message>
        <source>Milestones</source>
        <translation>Hitos</translation>
    </message>
    <message>
        <source>The first is near.</source>
        <translation>El primero está cerca.</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Siguiente</translation>
    </message>
    <message>
        <source>All of them are behind you.</source>
        <translation>Todos quedaron atrás.</translation>
    </message>
</context>
<context>
    <name>ModelCard</name>
    <message>
        <source>Details</source>
        <translation>Detalles</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
    <message>
        <source>Show the folder</source>
        <translation>Mostrar la carpeta</translation>
    </message>
    <message>
        <source>Fewer details</source>
        <translation>Menos detalles</translation>
    </message>
</context>
<context>
    <name>ModelCards</name>
    <message>
        <source>More models…</source>
        <translation>Más modelos…</translation>
    </message>
</context>
<context>
    <name>Models</name>
    <message>
        <source>Take it away</source>
        <translation>Llevárselo</translation>
    </message>
    <message>
        <source>Look after it</source>
        <translation>Cuidarlo</translation>
    </message>
    <message>
        <source>What it had learnt before</source>
        <translation>Lo que había aprendido antes</translation>
    </message>
    <message>
        <source>Finish or stop practising first.</source>
        <translation>Primero termina o detén la práctica.</translation>
    </message>
    <message>
        <source>none so far</source>
        <translation>ninguna por ahora</translation>
    </message>
    <message>
        <source>Practised here</source>
        <translation>Practicado aquí</translation>
    </message>
    <message>
        <source>the model {}</source>
        <translation>el modelo {}</translation>
    </message>
    <message>
        <source>what it learnt {}</source>
        <translation>lo que aprendió: {}</translation>
    </message>
    <message>
        <source>On the disk</source>
        <translation>En el disco</translation>
    </message>
    <message>
        <source>Comes from</source>
        <translation>Viene de</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Licencia</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Guardar…</translation>
    </message>
    <message>
        <source>For other apps (GGUF)</source>
        <translation>Para otras aplicaciones (GGUF)</translation>
    </message>
    <message>
        <source>One file for LM Studio, llama.cpp and the like; about {}.</source>
        <translation>Un archivo para LM Studio, llama.cpp y similares; unos {}.</translation>
    </message>
    <message>
        <source>For other apps, half the size (GGUF, 8 bit)</source>
        <translation>Para otras aplicaciones, la mitad de tamaño (GGUF, 8 bits)</translation>
    </message>
    <message>
        <source>Answers nearly the same; about {}.</source>
        <translation>Responde casi igual; unos {}.</translation>
    </message>
    <message>
        <source>The learnt part only (adapter)</source>
        <translation>Solo lo aprendido (adaptador)</translation>
    </message>
    <message>
        <source>A folder for PEFT, used with the base model; about {}.</source>
        <translation>Una carpeta para PEFT, que se usa con el modelo base; unos {}.</translation>
    </message>
    <message>
        <source>Whole model</source>
        <translation>Modelo entero</translation>
    </message>
    <message>
        <source>A folder for programs that use transformers; about {}.</source>
        <translation>Una carpeta para programas que usan transformers; unos {}.</translation>
    </message>
    <message>
        <source>Check its files</source>
        <translation>Comprobar sus archivos</translation>
    </message>
    <message>
        <source>Compares every file with what Hugging Face announced.</source>
        <translation>Compara cada archivo con lo que anunció Hugging Face.</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Comprobar</translation>
    </message>
    <message>
        <source>Sets {} free. What it learnt is kept, for when it comes back.</source>
        <translation>Libera {}. Lo que aprendió se conserva, para cuando vuelva.</translation>
    </message>
    <message>
        <source>Remove {} from this computer?</source>
        <translation>¿Quitar {} de este ordenador?</translation>
    </message>
    <message>
        <source>Remove it from this computer</source>
        <translation>Quitarlo de este ordenador</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>Quitar…</translation>
    </message>
    <message>
        <source>What it learnt in {} is put aside as a backup.</source>
        <translation>Lo que aprendió en {} se aparta como copia.</translation>
    </message>
    <message>
        <source>Start {} over? It forgets what it learnt here. A backup is kept, and you can bring it back.</source>
        <translation>¿Empezar {} de nuevo? Olvida lo que aprendió aquí. Se guarda una copia, y puedes recuperarla.</translation>
    </message>
    <message>
        <source>Start over from the base</source>
        <translation>Empezar de nuevo desde la base</translation>
    </message>
    <message>
        <source>Start over…</source>
        <translation>Empezar de nuevo…</translation>
    </message>
    <message>
        <source>Backup of {}</source>
        <translation>Copia de {}</translation>
    </message>
    <message>
        <source>{rounds}; {size}. What it learnt since is put aside.</source>
        <translation>{rounds}; {size}. Lo que aprendió desde entonces se aparta.</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>Recuperar</translation>
    </message>
    <message>
        <source>{} are free on the disk that holds them.</source>
        <translation>{} libres en el disco que los guarda.</translation>
    </message>
    <message>
        <source>Memory is measured while {} practises: without it, more is free.</source>
        <translation>La memoria se mide mientras {} practica: sin eso hay más libre.</translation>
    </message>
    <message>
        <source>comes with Waggle</source>
        <translation>viene con Waggle</translation>
    </message>
    <message>
        <source>on this computer, {}</source>
        <translation>en este ordenador, {}</translation>
    </message>
    <message>
        <source>{} to download</source>
        <translation>{} por descargar</translation>
    </message>
    <message>
        <source>a part is on this computer</source>
        <translation>una parte está en este ordenador</translation>
    </message>
    <message>
        <source>files of it are missing</source>
        <translation>le faltan archivos</translation>
    </message>
    <message>
        <source>The download needs {need} on the disk, and {free} are free there.</source>
        <translation>La descarga necesita {need} en el disco, y ahí hay {free} libres.</translation>
    </message>
    <message>
        <source>Practising now</source>
        <translation>Practicando ahora</translation>
    </message>
    <message>
        <source>Chosen next</source>
        <translation>Elegido para después</translation>
    </message>
    <message>
        <source>Chosen</source>
        <translation>Elegido</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>Cabe</translation>
    </message>
    <message>
        <source>Tight</source>
        <translation>Justo</translation>
    </message>
    <message>
        <source>Too large</source>
        <translation>Demasiado grande</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Descargar</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Continuar</translation>
    </message>
    <message>
        <source>Download again</source>
        <translation>Descargar de nuevo</translation>
    </message>
    <message>
        <source>This computer could probably not train it. {} Download it all the same?</source>
        <translation>Este ordenador probablemente no podría entrenarlo. {} ¿Descargarlo igualmente?</translation>
    </message>
    <message>
        <source>Download anyway</source>
        <translation>Descargar igualmente</translation>
    </message>
    <message>
        <source>Load anyway</source>
        <translation>Cargar igualmente</translation>
    </message>
    <message>
        <source>It seems to need more memory than there is. The computer may become slow, and practice may end when the memory runs out; what it learnt until its last round is safe. Load it all the same?</source>
        <translation>Parece necesitar más memoria de la que hay. El ordenador puede ir lento, y la práctica puede terminar cuando la memoria se acabe; lo aprendido hasta su última ronda está a salvo. ¿Cargarlo igualmente?</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>Elegir</translation>
    </message>
    <message>
        <source>Throw away what came in of {}?</source>
        <translation>¿Tirar lo que llegó de {}?</translation>
    </message>
    <message>
        <source>Throw it away</source>
        <translation>Tirarlo</translation>
    </message>
    <message>
        <source>Throw away</source>
        <translation>Tirar</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pausar</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Detener</translation>
    </message>
    <message>
        <source>It is in the list above.</source>
        <translation>Está en la lista de arriba.</translation>
    </message>
    <message>
        <source>It is here, complete and checked. Now it can be chosen.</source>
        <translation>Está aquí, completo y comprobado. Ya se puede elegir.</translation>
    </message>
    <message>
        <source>Every file is what Hugging Face announced.</source>
        <translation>Cada archivo es lo que anunció Hugging Face.</translation>
    </message>
    <message>
        <source>Saved: {path} ({size})</source>
        <translation>Guardado: {path} ({size})</translation>
    </message>
    <message>
        <source>Removed; {} are free again. What it learnt here is kept.</source>
        <translation>Quitado; {} vuelven a estar libres. Lo que aprendió aquí se conserva.</translation>
    </message>
    <message>
        <source>It starts over from its base. What it learnt in {} is kept as a backup, and its rounds still count as your contribution.</source>
        <translation>Empieza de nuevo desde su base. Lo que aprendió en {} se guarda como copia, y sus rondas siguen contando como tu contribución.</translation>
    </message>
    <message>
        <source>It is as it was then.</source>
        <translation>Está como entonces.</translation>
    </message>
    <message>
        <source>Where shall it go?</source>
        <translation>¿Adónde debe ir?</translation>
    </message>
    <message>
        <source>{done} of {total} are here. The rest can come any time.</source>
        <translation>{done} de {total} están aquí. El resto puede venir cuando sea.</translation>
    </message>
    <message>
        <source>Pausing…</source>
        <translation>Pausando…</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Deteniendo…</translation>
    </message>
    <message>
        <source>Reading every file</source>
        <translation>Leyendo cada archivo</translation>
    </message>
    <message>
        <source>Removing…</source>
        <translation>Quitando…</translation>
    </message>
    <message>
        <source>Putting aside what it learnt…</source>
        <translation>Apartando lo que aprendió…</translation>
    </message>
    <message>
        <source>Bringing it back…</source>
        <translation>Recuperándolo…</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Empezando…</translation>
    </message>
    <message>
        <source>Asking Hugging Face…</source>
        <translation>Preguntando a Hugging Face…</translation>
    </message>
    <message>
        <source>The line broke; trying again. What came in is kept.</source>
        <translation>Se cortó la conexión; intentando de nuevo. Lo que llegó se conserva.</translation>
    </message>
    <message>
        <source>Checking what came in</source>
        <translation>Comprobando lo que llegó</translation>
    </message>
    <message>
        <source>{} a second</source>
        <translation>{} por segundo</translation>
    </message>
    <message>
        <source>Getting the model ready…</source>
        <translation>Preparando el modelo…</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>Escribiendo</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} de {total}</translation>
    </message>
    <message>
        <source>{} GB</source>
        <translation>{} GB</translation>
    </message>
    <message>
        <source>{} MB</source>
        <translation>{} MB</translation>
    </message>
    <message>
        <source>{} billion parameters</source>
        <translation>{} mil millones de parámetros</translation>
    </message>
    <message>
        <source>{} million parameters</source>
        <translation>{} millones de parámetros</translation>
    </message>
    <message>
        <source>1 round</source>
        <translation>1 ronda</translation>
    </message>
    <message>
        <source>{} rounds</source>
        <translation>{} rondas</translation>
    </message>
    <message>
        <source>less than a minute left</source>
        <translation>queda menos de un minuto</translation>
    </message>
    <message>
        <source>about a minute left</source>
        <translation>queda alrededor de un minuto</translation>
    </message>
    <message>
        <source>about {} minutes left</source>
        <translation>quedan unos {} minutos</translation>
    </message>
    <message>
        <source>about {} hours left</source>
        <translation>quedan unas {} horas</translation>
    </message>
    <message>
        <source>d MMM yyyy, HH:mm</source>
        <comment>a date, in the letters of QLocale</comment>
        <translation>d MMM yyyy, HH:mm</translation>
    </message>
    <message>
        <source>Needs about {} of memory</source>
        <translation>Necesita unos {} de memoria</translation>
    </message>
    <message>
        <source>the graphics card has {} free</source>
        <translation>la tarjeta gráfica tiene {} libres</translation>
    </message>
    <message>
        <source>this computer has {} free</source>
        <translation>este ordenador tiene {} libres</translation>
    </message>
    <message>
        <source>Close other programs first.</source>
        <translation>Cierra primero otros programas.</translation>
    </message>
    <message>
        <source>{} would fit.</source>
        <translation>{} cabría.</translation>
    </message>
</context>
<context>
    <name>ModelsView</name>
    <message>
        <source>Looking at what is here…</source>
        <translation>Mirando lo que hay aquí…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Intentar de nuevo</translation>
    </message>
    <message>
        <source>Choose what this computer trains. Larger ones know more, and need more.</source>
        <translation>Elige qué entrena este ordenador. Los más grandes saben más, y necesitan más.</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelos</translation>
    </message>
</context>
<context>
    <name>Navigation</name>
    <message>
        <source>What is Waggle?</source>
        <translation>¿Qué es Waggle?</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Inicio</translation>
    </message>
    <message>
        <source>Practice</source>
        <translation>Práctica</translation>
    </message>
    <message>
        <source>Contribution</source>
        <translation>Contribución</translation>
    </message>
    <message>
        <source>Swarm</source>
        <translation>Enjambre</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelos</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Ajustes</translation>
    </message>
</context>
<context>
    <name>Notice</name>
    <message>
        <source>Try again</source>
        <translation>Intentar de nuevo</translation>
    </message>
    <message>
        <source>Open the log folder</source>
        <translation>Abrir la carpeta de registros</translation>
    </message>
    <message>
        <source>Make a support file…</source>
        <translation>Crear un archivo de ayuda…</translation>
    </message>
</context>
<context>
    <name>Notices</name>
    <message>
        <source>Waggle goes on in the tray</source>
        <translation>Waggle sigue en la bandeja</translation>
    </message>
    <message>
        <source>Its icon leads back to the window. To end it, choose Quit there.</source>
        <translation>Su icono lleva de vuelta a la ventana. Para terminarlo, elige allí Salir.</translation>
    </message>
    <message>
        <source>Practice has stopped</source>
        <translation>La práctica se ha detenido</translation>
    </message>
    <message>
        <source>It failed several times in a row. All finished rounds are safe.</source>
        <translation>Falló varias veces seguidas. Todas las rondas terminadas están a salvo.</translation>
    </message>
    <message>
        <source>{model} has finished {rounds} rounds.</source>
        <translation>{model} ha terminado {rounds} rondas.</translation>
    </message>
    <message>
        <source>A milestone</source>
        <translation>Un hito</translation>
    </message>
    <message>
        <source>Another model has learnt from what yours tried.</source>
        <translation>Otro modelo ha aprendido de lo que intentó el tuyo.</translation>
    </message>
    <message>
        <source>{} other models have learnt from what yours tried.</source>
        <translation>Otros {} modelos han aprendido de lo que intentó el tuyo.</translation>
    </message>
</context>
<context>
    <name>OwnCard</name>
    <message>
        <source>Your swarm</source>
        <translation>Tu enjambre</translation>
    </message>
    <message>
        <source>Your model still practises in the swarm from before, and changes over with its next start.</source>
        <translation>Tu modelo aún practica en el enjambre de antes, y cambia con su próximo inicio.</translation>
    </message>
    <message>
        <source>Change over now</source>
        <translation>Cambiar ahora</translation>
    </message>
    <message>
        <source>Invite others</source>
        <translation>Invitar a otros</translation>
    </message>
    <message>
        <source>Finishing the round…</source>
        <translation>Terminando la ronda…</translation>
    </message>
    <message>
        <source>Go to: {}</source>
        <translation>Ir a: {}</translation>
    </message>
</context>
<context>
    <name>PeopleCard</name>
    <message>
        <source>Who is here</source>
        <translation>Quién está aquí</translation>
    </message>
    <message>
        <source>Show more ({})</source>
        <translation>Mostrar más ({})</translation>
    </message>
</context>
<context>
    <name>PlotField</name>
    <message>
        <source>Chart: you and the swarm</source>
        <translation>Gráfico: tú y el enjambre</translation>
    </message>
    <message>
        <source>Puzzles solved</source>
        <translation>Acertijos resueltos</translation>
    </message>
</context>
<context>
    <name>Practice</name>
    <message>
        <source>right</source>
        <translation>correcto</translation>
    </message>
    <message>
        <source>partly right</source>
        <translation>correcto en parte</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>incorrecto</translation>
    </message>
    <message>
        <source>{right} of {tries} right</source>
        <translation>{right} de {tries} correctas</translation>
    </message>
    <message>
        <source>(no answer)</source>
        <translation>(sin respuesta)</translation>
    </message>
    <message>
        <source>{before} before, {now} now.</source>
        <translation>{before} antes, {now} ahora.</translation>
    </message>
    <message>
        <source>Choosing puzzles that it never practised…</source>
        <translation>Eligiendo acertijos que nunca practicó…</translation>
    </message>
    <message>
        <source>Trying puzzles: {} to go…</source>
        <translation>Intentando acertijos: quedan {}…</translation>
    </message>
    <message>
        <source>Checking the answers…</source>
        <translation>Comprobando las respuestas…</translation>
    </message>
    <message>
        <source>{gain} points, give or take {margin}</source>
        <translation>{gain} puntos, más o menos {margin}</translation>
    </message>
    <message>
        <source>It has not practised yet, so both are the same model.</source>
        <translation>Aún no ha practicado, así que ambos son el mismo modelo.</translation>
    </message>
    <message>
        <source>The gain is real: {}.</source>
        <translation>La mejora es real: {}.</translation>
    </message>
    <message>
        <source>The difference may be chance: {}. More puzzles tell more.</source>
        <translation>La diferencia puede ser azar: {}. Más acertijos dicen más.</translation>
    </message>
    <message>
        <source>It has become worse: {}.</source>
        <translation>Ha empeorado: {}.</translation>
    </message>
    <message>
        <source>d MMM yyyy, hh:mm</source>
        <comment>a moment, in the letters of QLocale</comment>
        <translation>d MMM yyyy, hh:mm</translation>
    </message>
    <message>
        <source>{puzzles} puzzles that it never practised, after {rounds} rounds; {when}.</source>
        <translation>{puzzles} acertijos que nunca practicó, tras {rounds} rondas; {when}.</translation>
    </message>
    <message>
        <source>{before} → {now}</source>
        <translation>{before} → {now}</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Continuar</translation>
    </message>
    <message>
        <source>Hold still</source>
        <translation>Mantener quieto</translation>
    </message>
    <message>
        <source>Nothing is practised now; these were the last puzzles.</source>
        <translation>Ahora no se practica nada; estos fueron los últimos acertijos.</translation>
    </message>
    <message>
        <source>Paused; these were the last puzzles.</source>
        <translation>En pausa; estos fueron los últimos acertijos.</translation>
    </message>
    <message>
        <source>A few of the puzzles that are tried, the newest on top.</source>
        <translation>Algunos de los acertijos que se intentan, los más nuevos arriba.</translation>
    </message>
    <message>
        <source>Held still for you.</source>
        <translation>Quieto para ti.</translation>
    </message>
    <message>
        <source>Held still; 1 newer one is waiting.</source>
        <translation>Quieto; espera 1 más nuevo.</translation>
    </message>
    <message>
        <source>Held still; {} newer ones are waiting.</source>
        <translation>Quieto; esperan {} más nuevos.</translation>
    </message>
    <message>
        <source>Here you can watch the puzzles that your model tries, what it answers, and what others answered.
Nothing is practised right now. Join on Home, and they pass by.</source>
        <translation>Aquí puedes ver los acertijos que intenta tu modelo, lo que responde y lo que respondieron otros.
Ahora no se practica nada. Únete en Inicio, y pasarán por aquí.</translation>
    </message>
    <message>
        <source>Paused. The next puzzle appears when practice goes on.</source>
        <translation>En pausa. El próximo acertijo aparece cuando siga la práctica.</translation>
    </message>
    <message>
        <source>The first puzzle appears when the model is ready.</source>
        <translation>El primer acertijo aparece cuando el modelo esté listo.</translation>
    </message>
    <message>
        <source>The next puzzle appears as soon as a round is over.</source>
        <translation>El próximo acertijo aparece en cuanto acabe una ronda.</translation>
    </message>
    <message>
        <source>Your own words</source>
        <translation>Tus propias palabras</translation>
    </message>
    <message>
        <source>Before any practice</source>
        <translation>Antes de practicar</translation>
    </message>
    <message>
        <source>It was made for conversation, and practises puzzles here. Small models make things up: do not rely on what it says.</source>
        <translation>Se hizo para conversar, y aquí practica acertijos. Los modelos pequeños inventan cosas: no te fíes de lo que dice.</translation>
    </message>
    <message>
        <source>{} has never read anything but puzzles. Asked something else, it answers as if that were a puzzle, or nonsense.</source>
        <translation>{} nunca ha leído más que acertijos. Si se le pregunta otra cosa, responde como si fuera un acertijo, o sin sentido.</translation>
    </message>
    <message>
        <source>Today, not practised yet</source>
        <translation>Hoy, aún sin practicar</translation>
    </message>
    <message>
        <source>Today, after 1 round</source>
        <translation>Hoy, tras 1 ronda</translation>
    </message>
    <message>
        <source>Today, after {} rounds</source>
        <translation>Hoy, tras {} rondas</translation>
    </message>
    <message>
        <source>The same answers: practice made no difference here.</source>
        <translation>Las mismas respuestas: aquí la práctica no cambió nada.</translation>
    </message>
    <message>
        <source>Answers to your own words are not judged by anybody.</source>
        <translation>Nadie juzga las respuestas a tus propias palabras.</translation>
    </message>
    <message>
        <source>One puzzle proves little. The exam asks many.</source>
        <translation>Un acertijo prueba poco. El examen plantea muchos.</translation>
    </message>
</context>
<context>
    <name>PracticePage</name>
    <message>
        <source>Live</source>
        <translation>En directo</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>Pruébalo</translation>
    </message>
    <message>
        <source>Exam</source>
        <translation>Examen</translation>
    </message>
    <message>
        <source>Practice</source>
        <translation>Práctica</translation>
    </message>
</context>
<context>
    <name>PrivacyStep</name>
    <message>
        <source>I have read this, and I agree to share these things.</source>
        <translation>He leído esto, y acepto compartir estas cosas.</translation>
    </message>
    <message>
        <source>You have agreed to share these things.</source>
        <translation>Has aceptado compartir estas cosas.</translation>
    </message>
    <message>
        <source>Waggle lets this computer train a small language model. It practises puzzles with known answers, keeps what works, and swaps ideas with the models of other people: the swarm.</source>
        <translation>Waggle permite que este ordenador entrene un pequeño modelo de lenguaje. Practica acertijos con respuestas conocidas, conserva lo que funciona e intercambia ideas con los modelos de otras personas: el enjambre.</translation>
    </message>
    <message>
        <source>Others that you connect to see your internet address, as with any website. Nothing here earns money: a score only says how many puzzles were solved.</source>
        <translation>Otros con quienes te conectas ven tu dirección de internet, como en cualquier sitio web. Aquí no se gana dinero: una puntuación solo dice cuántos acertijos se resolvieron.</translation>
    </message>
    <message>
        <source>Train a small model, together.</source>
        <translation>Entrena un pequeño modelo, en compañía.</translation>
    </message>
    <message>
        <source>which puzzles were tried, and when</source>
        <translation>qué acertijos se intentaron, y cuándo</translation>
    </message>
    <message>
        <source>what your model answered, as text</source>
        <translation>lo que respondió tu modelo, como texto</translation>
    </message>
    <message>
        <source>the kind of model, a made-up name</source>
        <translation>el tipo de modelo, un nombre inventado</translation>
    </message>
    <message>
        <source>your files, or anything you type</source>
        <translation>tus archivos, ni nada que escribas</translation>
    </message>
    <message>
        <source>your name or your computer&apos;s name</source>
        <translation>tu nombre ni el de tu ordenador</translation>
    </message>
    <message>
        <source>your model itself</source>
        <translation>tu modelo mismo</translation>
    </message>
    <message>
        <source>What is shared</source>
        <translation>Lo que se comparte</translation>
    </message>
    <message>
        <source>What is never shared</source>
        <translation>Lo que nunca se comparte</translation>
    </message>
</context>
<context>
    <name>ProgramsCard</name>
    <message>
        <source>Name of a program</source>
        <translation>Nombre de un programa</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Añadir</translation>
    </message>
    <message>
        <source>Add this program</source>
        <translation>Añadir este programa</translation>
    </message>
    <message>
        <source>Choose or type a name</source>
        <translation>Elige o escribe un nombre</translation>
    </message>
    <message>
        <source>That is no name of a program: give it without folders, or choose one.</source>
        <translation>Eso no es el nombre de un programa: escríbelo sin carpetas, o elige uno.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Quitar</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>Quitar {name}</translation>
    </message>
    <message>
        <source>None yet.</source>
        <translation>Ninguno todavía.</translation>
    </message>
    <message>
        <source>Programs that come first</source>
        <translation>Programas que van primero</translation>
    </message>
    <message>
        <source>Waggle pauses for as long as one of these runs.</source>
        <translation>Waggle se pausa mientras funcione uno de estos.</translation>
    </message>
</context>
<context>
    <name>PuzzleCard</name>
    <message>
        <source>Round {}</source>
        <translation>Ronda {}</translation>
    </message>
    <message>
        <source>Your model</source>
        <translation>Tu modelo</translation>
    </message>
    <message>
        <source>What {} answered to this</source>
        <translation>Lo que {} respondió a esto</translation>
    </message>
    <message>
        <source>{who}: {said}</source>
        <translation>{who}: {said}</translation>
    </message>
    <message>
        <source>Block this peer</source>
        <translation>Bloquear a este participante</translation>
    </message>
    <message>
        <source>Nothing of {} is shown or learnt from any more</source>
        <translation>De {} ya no se muestra ni se aprende nada</translation>
    </message>
</context>
<context>
    <name>QrCode</name>
    <message>
        <source>The link as a QR code</source>
        <translation>El enlace como código QR</translation>
    </message>
</context>
<context>
    <name>Question</name>
    <message>
        <source>Leave it</source>
        <translation>Dejarlo</translation>
    </message>
</context>
<context>
    <name>RemovalCard</name>
    <message>
        <source>Deletes everything that Waggle keeps on this computer, and asks before.</source>
        <translation>Borra todo lo que Waggle guarda en este ordenador, y pregunta antes.</translation>
    </message>
    <message>
        <source>Leave nothing behind</source>
        <translation>No dejar nada</translation>
    </message>
    <message>
        <source>Remove everything…</source>
        <translation>Borrarlo todo…</translation>
    </message>
    <message>
        <source>Quit Waggle</source>
        <translation>Salir de Waggle</translation>
    </message>
    <message>
        <source>Stop practice first.</source>
        <translation>Detén primero la práctica.</translation>
    </message>
    <message>
        <source>Removing…</source>
        <translation>Quitando…</translation>
    </message>
</context>
<context>
    <name>RoundProgress</name>
    <message>
        <source>This round</source>
        <translation>Esta ronda</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>Intentar</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Comprobar</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Compartir</translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>Aprender</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>Rondas</translation>
    </message>
    <message>
        <source>about {} an hour</source>
        <translation>unas {} por hora</translation>
    </message>
    <message>
        <source>about {} a minute</source>
        <translation>unas {} por minuto</translation>
    </message>
    <message>
        <source>nearly done</source>
        <translation>casi lista</translation>
    </message>
    <message>
        <source>about {} s left</source>
        <translation>quedan unos {} s</translation>
    </message>
    <message>
        <source>about {} min left</source>
        <translation>quedan unos {} min</translation>
    </message>
</context>
<context>
    <name>RunControls</name>
    <message>
        <source>Stop</source>
        <translation>Detener</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pausar</translation>
    </message>
    <message>
        <source>Finish round and stop</source>
        <translation>Terminar la ronda y parar</translation>
    </message>
    <message>
        <source>Really stop now?</source>
        <translation>¿Detener ya de verdad?</translation>
    </message>
    <message>
        <source>No round is running, so stopping loses nothing.</source>
        <translation>No hay ninguna ronda en marcha, así que no se pierde nada.</translation>
    </message>
    <message>
        <source>The running round is lost; all finished rounds are kept.</source>
        <translation>La ronda en marcha se pierde; todas las terminadas se conservan.</translation>
    </message>
    <message>
        <source>Stop drops the running round. Finish keeps it.</source>
        <translation>Detener descarta la ronda en marcha. Terminar la conserva.</translation>
    </message>
    <message>
        <source>Your contribution</source>
        <translation>Tu contribución</translation>
    </message>
</context>
<context>
    <name>SavingPage</name>
    <message>
        <source>Saving…</source>
        <translation>Guardando…</translation>
    </message>
    <message>
        <source>The window closes by itself in a moment.</source>
        <translation>La ventana se cierra sola en un momento.</translation>
    </message>
</context>
<context>
    <name>Schedule</name>
    <message>
        <source>Never runs by itself: no hour is chosen.</source>
        <translation>Nunca funciona solo: no hay ninguna hora elegida.</translation>
    </message>
    <message>
        <source>Runs at any hour.</source>
        <translation>Funciona a cualquier hora.</translation>
    </message>
    <message>
        <source>Runs in {count} of the 168 hours of a week.</source>
        <translation>Funciona en {count} de las 168 horas de la semana.</translation>
    </message>
    <message>
        <source>Runs {hours}.</source>
        <translation>Funciona {hours}.</translation>
    </message>
    <message>
        <source>{days} all day</source>
        <translation>{days} todo el día</translation>
    </message>
    <message>
        <source>{days} {hours}</source>
        <translation>{days} {hours}</translation>
    </message>
    <message>
        <source>every day</source>
        <translation>todos los días</translation>
    </message>
    <message>
        <source>{first} and {last}</source>
        <translation>{first} y {last}</translation>
    </message>
</context>
<context>
    <name>ScoreChart</name>
    <message>
        <source>Chart: you and the swarm</source>
        <translation>Gráfico: tú y el enjambre</translation>
    </message>
    <message>
        <source>Your model</source>
        <translation>Tu modelo</translation>
    </message>
    <message>
        <source>Swarm</source>
        <translation>Enjambre</translation>
    </message>
    <message>
        <source>Rounds practised</source>
        <translation>Rondas practicadas</translation>
    </message>
    <message>
        <source>Time of day</source>
        <translation>Hora del día</translation>
    </message>
    <message>
        <source>{} rounds are shown.</source>
        <translation>Se muestran {} rondas.</translation>
    </message>
    <message>
        <source>Point at the chart, or use the arrow keys, to read single rounds.</source>
        <translation>Señala el gráfico, o usa las flechas, para leer rondas sueltas.</translation>
    </message>
    <message>
        <source>You and the swarm</source>
        <translation>Tú y el enjambre</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>When it runs</source>
        <translation>Cuándo funciona</translation>
    </message>
    <message>
        <source>How much</source>
        <translation>Cuánto</translation>
    </message>
    <message>
        <source>Meeting others</source>
        <translation>Encontrar a otros</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Ventana</translation>
    </message>
    <message>
        <source>Identity and data</source>
        <translation>Identidad y datos</translation>
    </message>
    <message>
        <source>What works here</source>
        <translation>Qué funciona aquí</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Ajustes</translation>
    </message>
</context>
<context>
    <name>ShareDialog</name>
    <message>
        <source>A picture to share</source>
        <translation>Una imagen para compartir</translation>
    </message>
    <message>
        <source>Save picture…</source>
        <translation>Guardar imagen…</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copiar</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
    <message>
        <source>Key figures and your made-up name, nothing else. It leaves this computer only if you send it.</source>
        <translation>Cifras clave y tu nombre inventado, nada más. Solo sale de este ordenador si la envías.</translation>
    </message>
    <message>
        <source>Preview: {}</source>
        <translation>Vista previa: {}</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>Copiado.</translation>
    </message>
</context>
<context>
    <name>SizeStep</name>
    <message>
        <source>A small one learns quickly and runs on anything. A larger one can learn more, and takes longer. You can change it whenever you like.</source>
        <translation>Uno pequeño aprende rápido y funciona en cualquier sitio. Uno mayor puede aprender más, y tarda más. Puedes cambiarlo cuando quieras.</translation>
    </message>
    <message>
        <source>Choose a size.</source>
        <translation>Elige un tamaño.</translation>
    </message>
    <message>
        <source>Looking at what else fits this computer…</source>
        <translation>Mirando qué más cabe en este ordenador…</translation>
    </message>
    <message>
        <source>It is fetched when you begin. Until it is here and you switch to it, the model that you have goes on.</source>
        <translation>Se descarga cuando empiezas. Hasta que esté aquí y cambies a él, sigue el modelo que tienes.</translation>
    </message>
</context>
<context>
    <name>Sizes</name>
    <message>
        <source>{size} to fetch</source>
        <translation>{size} por descargar</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>cabe</translation>
    </message>
    <message>
        <source>tight</source>
        <translation>justo</translation>
    </message>
    <message>
        <source>too large</source>
        <translation>demasiado grande</translation>
    </message>
    <message>
        <source>Its licence has to be accepted first: see Models.</source>
        <translation>Antes hay que aceptar su licencia: véase Modelos.</translation>
    </message>
    <message>
        <source>works offline</source>
        <translation>funciona sin conexión</translation>
    </message>
</context>
<context>
    <name>SnoozeButton</name>
    <message>
        <source>Pause for a while</source>
        <translation>Pausar un rato</translation>
    </message>
    <message>
        <source>For 30 minutes</source>
        <translation>Durante 30 minutos</translation>
    </message>
    <message>
        <source>For 1 hour</source>
        <translation>Durante 1 hora</translation>
    </message>
    <message>
        <source>Until tomorrow</source>
        <translation>Hasta mañana</translation>
    </message>
</context>
<context>
    <name>SpanSwitch</name>
    <message>
        <source>Hour</source>
        <translation>Hora</translation>
    </message>
    <message>
        <source>Show the last hour</source>
        <translation>Mostrar la última hora</translation>
    </message>
    <message>
        <source>Day</source>
        <translation>Día</translation>
    </message>
    <message>
        <source>Show the last day</source>
        <translation>Mostrar el último día</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Todo</translation>
    </message>
    <message>
        <source>Show all rounds</source>
        <translation>Mostrar todas las rondas</translation>
    </message>
</context>
<context>
    <name>Support</name>
    <message>
        <source>Make a support file</source>
        <translation>Crear un archivo de ayuda</translation>
    </message>
    <message>
        <source>Looking at everything…</source>
        <translation>Mirándolo todo…</translation>
    </message>
</context>
<context>
    <name>SupportCard</name>
    <message>
        <source>A file for whoever helps you: what was found on this computer, versions, and the end of the log. Addresses, names, keys and invites are taken out. Nothing is sent.</source>
        <translation>Un archivo para quien te ayude: lo que se halló en este ordenador, versiones y el final del registro. Se quitan direcciones, nombres, claves e invitaciones. No se envía nada.</translation>
    </message>
    <message>
        <source>When something is wrong</source>
        <translation>Cuando algo va mal</translation>
    </message>
    <message>
        <source>Make a support file…</source>
        <translation>Crear un archivo de ayuda…</translation>
    </message>
    <message>
        <source>Make a support file</source>
        <translation>Crear un archivo de ayuda</translation>
    </message>
    <message>
        <source>Looking at everything…</source>
        <translation>Mirándolo todo…</translation>
    </message>
</context>
<context>
    <name>Swarm</name>
    <message>
        <source>Private: only those who have its invite can take part or read.</source>
        <translation>Privado: solo quienes tienen su invitación pueden participar o leer.</translation>
    </message>
    <message>
        <source>Open: anybody can take part.</source>
        <translation>Abierto: cualquiera puede participar.</translation>
    </message>
    <message>
        <source>It names no meeting point: its members find each other on one network.</source>
        <translation>No nombra ningún punto de encuentro: sus miembros se encuentran en una misma red.</translation>
    </message>
    <message>
        <source>Its members meet at {}.</source>
        <translation>Sus miembros se encuentran en {}.</translation>
    </message>
    <message>
        <source>Whoever has this link is a member. Hand it only to people whom you trust.</source>
        <translation>Quien tenga este enlace es miembro. Dalo solo a personas de confianza.</translation>
    </message>
    <message>
        <source>The swarm is open, so the link may be shown to anybody.</source>
        <translation>El enjambre es abierto, así que el enlace se puede mostrar a cualquiera.</translation>
    </message>
    <message>
        <source>Here others meet who cannot reach each other: it hands on what they share, trains nothing and keeps nothing for longer than ten minutes. It is open as long as this window.</source>
        <translation>Aquí se encuentran quienes no se alcanzan entre sí: transmite lo que comparten, no entrena nada y no guarda nada más de diez minutos. Está abierto mientras lo esté esta ventana.</translation>
    </message>
    <message>
        <source>Open. Others find it at {}.</source>
        <translation>Abierto. Otros lo encuentran en {}.</translation>
    </message>
    <message>
        <source> or </source>
        <translation> o </translation>
    </message>
    <message>
        <source>Those on your own network reach it, once your firewall allows it. From the internet, it can be reached if your router passes port {} on to this computer. For a meeting point that is always open, see docs/hosting.md, which comes with Waggle&apos;s source.</source>
        <translation>Los de tu propia red llegan a él en cuanto tu cortafuegos lo permita. Desde internet se llega si tu router pasa el puerto {} a este ordenador. Para un punto de encuentro siempre abierto, véase docs/hosting.md, que viene con el código fuente de Waggle.</translation>
    </message>
    <message>
        <source>Nobody has left anything there yet.</source>
        <translation>Nadie ha dejado nada ahí todavía.</translation>
    </message>
    <message>
        <source>1 computer left something there in the last ten minutes.</source>
        <translation>1 ordenador dejó algo ahí en los últimos diez minutos.</translation>
    </message>
    <message>
        <source>{} computers left something there in the last ten minutes.</source>
        <translation>{} ordenadores dejaron algo ahí en los últimos diez minutos.</translation>
    </message>
    <message>
        <source>answers; {} tries of others came from there</source>
        <translation>responde; de ahí llegaron {} intentos de otros</translation>
    </message>
    <message>
        <source>not asked yet</source>
        <translation>aún no preguntado</translation>
    </message>
    <message>
        <source>somebody else answers there; nothing is sent to them</source>
        <translation>ahí responde otro; no se le envía nada</translation>
    </message>
    <message>
        <source>what answers there is no meeting point</source>
        <translation>lo que responde ahí no es un punto de encuentro</translation>
    </message>
    <message>
        <source>left out for a while, since it broke the rules</source>
        <translation>apartado un tiempo, por romper las reglas</translation>
    </message>
    <message>
        <source>does not answer; it is tried again</source>
        <translation>no responde; se vuelve a intentar</translation>
    </message>
    <message>
        <source>has not answered since {}; it is tried again</source>
        <translation>no responde desde {}; se vuelve a intentar</translation>
    </message>
    <message>
        <source>Nothing practises right now.</source>
        <translation>Ahora no practica nada.</translation>
    </message>
    <message>
        <source>Practising alone, as you chose.</source>
        <translation>Practica solo, como elegiste.</translation>
    </message>
    <message>
        <source>Looking for others…</source>
        <translation>Buscando a otros…</translation>
    </message>
    <message>
        <source>The others cannot be reached right now.</source>
        <translation>Ahora no se puede llegar a los demás.</translation>
    </message>
    <message>
        <source>Nobody else is here yet.</source>
        <translation>Aún no hay nadie más.</translation>
    </message>
    <message>
        <source>1 other practises with you.</source>
        <translation>1 más practica contigo.</translation>
    </message>
    <message>
        <source>{} others practise with you.</source>
        <translation>{} más practican contigo.</translation>
    </message>
    <message>
        <source>Who is here shows as soon as your model practises.</source>
        <translation>Quién está aquí se ve en cuanto tu modelo practique.</translation>
    </message>
    <message>
        <source>They see you as {}, a made-up name.</source>
        <translation>Te ven como {}, un nombre inventado.</translation>
    </message>
    <message>
        <source>Your model practises alone until somebody comes. Invite others!</source>
        <translation>Tu modelo practica solo hasta que venga alguien. ¡Invita a otros!</translation>
    </message>
    <message>
        <source>And {} more.</source>
        <translation>Y {} más.</translation>
    </message>
    <message>
        <source>A run alone meets nobody, and nothing of it is shared.</source>
        <translation>Quien practica solo no encuentra a nadie, y no se comparte nada.</translation>
    </message>
    <message>
        <source>Nobody has been met yet. Others appear with the first tries that they share.</source>
        <translation>Aún no se encontró a nadie. Otros aparecen con los primeros intentos que comparten.</translation>
    </message>
    <message>
        <source>Others appear here once practice runs: press Join swarm on the page Home.</source>
        <translation>Otros aparecen aquí cuando se practica: pulsa Unirse al enjambre en la página Inicio.</translation>
    </message>
    <message>
        <source>asked once practice runs</source>
        <translation>se pregunta cuando se practique</translation>
    </message>
    <message>
        <source>None is named. Others on your own network are met without one; for those elsewhere, paste an invite or open a meeting point yourself.</source>
        <translation>No hay ninguno. A otros de tu red se les encuentra sin él; para los de otros lugares, pega una invitación o abre tú un punto de encuentro.</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>a date, in the letters of QLocale</comment>
        <translation>d MMM</translation>
    </message>
    <message>
        <source>here</source>
        <translation>aquí</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>bloqueado</translation>
    </message>
    <message>
        <source>silent</source>
        <translation>en silencio</translation>
    </message>
    <message>
        <source>last heard {}</source>
        <translation>última señal {}</translation>
    </message>
    <message>
        <source>on this network</source>
        <translation>en esta red</translation>
    </message>
    <message>
        <source>over the internet</source>
        <translation>por internet</translation>
    </message>
    <message>
        <source>by a meeting point</source>
        <translation>por un punto de encuentro</translation>
    </message>
    <message>
        <source>Nothing of it is looked at.</source>
        <translation>No se mira nada suyo.</translation>
    </message>
    <message>
        <source>None of its tries has come here yet.</source>
        <translation>Aún no ha llegado aquí ninguno de sus intentos.</translation>
    </message>
    <message>
        <source>None of its {} tries has taught your model something yet.</source>
        <translation>Ninguno de sus {} intentos ha enseñado aún algo a tu modelo.</translation>
    </message>
    <message>
        <source>{taught} of its {tries} tries taught your model something.</source>
        <translation>{taught} de sus {tries} intentos enseñaron algo a tu modelo.</translation>
    </message>
</context>
<context>
    <name>TakeAway</name>
    <message>
        <source>Save as table…</source>
        <translation>Guardar como tabla…</translation>
    </message>
    <message>
        <source>Make a picture…</source>
        <translation>Hacer una imagen…</translation>
    </message>
    <message>
        <source>Take it along: all days as a table, or the key figures as a picture.</source>
        <translation>Llévatelo: todos los días como tabla, o las cifras clave como imagen.</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>Tabla (*.csv)</translation>
    </message>
    <message>
        <source>Save as table</source>
        <translation>Guardar como tabla</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>Imagen (*.png)</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>Guardar imagen</translation>
    </message>
    <message>
        <source>{path} cannot be written ({why}). Choose another place.</source>
        <translation>No se puede escribir {path} ({why}). Elige otro lugar.</translation>
    </message>
</context>
<context>
    <name>TimeStep</name>
    <message>
        <source>It makes way for you: you should not notice it. It finishes its round before it pauses, and loses nothing.</source>
        <translation>Te deja paso: no deberías notarlo. Termina su ronda antes de pausarse, y no pierde nada.</translation>
    </message>
    <message>
        <source>Choose when it runs.</source>
        <translation>Elige cuándo funciona.</translation>
    </message>
    <message>
        <source>There is more to choose in the settings, at any time.</source>
        <translation>Hay más que elegir en los ajustes, en cualquier momento.</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pausar</translation>
    </message>
    <message>
        <source>When it may run</source>
        <translation>Cuándo puede funcionar</translation>
    </message>
    <message>
        <source>While you use the computer</source>
        <translation>Mientras usas el ordenador</translation>
    </message>
    <message>
        <source>Run gently</source>
        <translation>Funcionar con suavidad</translation>
    </message>
    <message>
        <source>Run as always</source>
        <translation>Funcionar como siempre</translation>
    </message>
    <message>
        <source>Gently: at most half of the time.</source>
        <translation>Con suavidad: como mucho la mitad del tiempo.</translation>
    </message>
    <message>
        <source>On battery</source>
        <translation>Con batería</translation>
    </message>
    <message>
        <source>Run until it is low</source>
        <translation>Funcionar hasta que esté baja</translation>
    </message>
    <message>
        <source>Practice uses a battery up quickly.</source>
        <translation>Practicar gasta pronto la batería.</translation>
    </message>
    <message>
        <source>Hours</source>
        <translation>Horas</translation>
    </message>
    <message>
        <source>At any hour</source>
        <translation>A cualquier hora</translation>
    </message>
    <message>
        <source>At night</source>
        <translation>De noche</translation>
    </message>
    <message>
        <source>Outside working hours</source>
        <translation>Fuera del horario de trabajo</translation>
    </message>
    <message>
        <source>While the computer is on: it is never woken up.</source>
        <translation>Mientras el ordenador esté encendido: nunca se le despierta.</translation>
    </message>
    <message>
        <source>As in the settings</source>
        <translation>Como en los ajustes</translation>
    </message>
</context>
<context>
    <name>TimesSection</name>
    <message>
        <source>Hours of the week</source>
        <translation>Horas de la semana</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pausar</translation>
    </message>
    <message>
        <source>Run gently</source>
        <translation>Funcionar con suavidad</translation>
    </message>
    <message>
        <source>Run as always</source>
        <translation>Funcionar como siempre</translation>
    </message>
    <message>
        <source>Run until it is low</source>
        <translation>Funcionar hasta que esté baja</translation>
    </message>
    <message>
        <source>Making way for you</source>
        <translation>Dejarte paso</translation>
    </message>
    <message>
        <source>While you use the computer</source>
        <translation>Mientras usas el ordenador</translation>
    </message>
    <message>
        <source>Gently: at most half of the time.</source>
        <translation>Con suavidad: como mucho la mitad del tiempo.</translation>
    </message>
    <message>
        <source>During full screen</source>
        <translation>En pantalla completa</translation>
    </message>
    <message>
        <source>Games, films and talks.</source>
        <translation>Juegos, películas y charlas.</translation>
    </message>
    <message>
        <source>On battery</source>
        <translation>Con batería</translation>
    </message>
    <message>
        <source>{} minutes</source>
        <translation>{} minutos</translation>
    </message>
    <message>
        <source>You are away after</source>
        <translation>Estás ausente tras</translation>
    </message>
    <message>
        <source>1 minute</source>
        <translation>1 minuto</translation>
    </message>
    <message>
        <source>Without touching mouse or keyboard.</source>
        <translation>Sin tocar el ratón ni el teclado.</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nunca</translation>
    </message>
    <message>
        <source>The battery is low below</source>
        <translation>La batería está baja por debajo de</translation>
    </message>
    <message>
        <source>Never mind</source>
        <translation>No importa</translation>
    </message>
    <message>
        <source>Pause above {}</source>
        <translation>Pausar por encima de {}</translation>
    </message>
    <message>
        <source>When the computer is under strain</source>
        <translation>Cuando el ordenador está muy cargado</translation>
    </message>
    <message>
        <source>When other programs are busy</source>
        <translation>Cuando otros programas trabajan</translation>
    </message>
    <message>
        <source>For a minute, of all that the processor can do.</source>
        <translation>Durante un minuto, de todo lo que puede el procesador.</translation>
    </message>
    <message>
        <source>When the computer gets hot</source>
        <translation>Cuando el ordenador se calienta</translation>
    </message>
    <message>
        <source>Where this computer tells how hot it is.</source>
        <translation>Donde este ordenador dice lo caliente que está.</translation>
    </message>
    <message>
        <source>Filled hours run. Click or drag to paint, or use the arrow keys and the space bar; the name of a day or an hour paints all of it.</source>
        <translation>Las horas rellenas funcionan. Haz clic o arrastra para pintar, o usa las flechas y la barra espaciadora; el nombre de un día o de una hora lo pinta entero.</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Siempre</translation>
    </message>
    <message>
        <source>Nights</source>
        <translation>Noches</translation>
    </message>
    <message>
        <source>Outside working hours</source>
        <translation>Fuera del horario de trabajo</translation>
    </message>
</context>
<context>
    <name>TokenForm</name>
    <message>
        <source>Access token of huggingface.co</source>
        <translation>Token de acceso de huggingface.co</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Conservar</translation>
    </message>
    <message>
        <source>Forget it</source>
        <translation>Olvidarlo</translation>
    </message>
    <message>
        <source>This computer keeps one where it keeps passwords. Only Hugging Face is shown it.</source>
        <translation>Este ordenador guarda uno donde guarda las contraseñas. Solo se le muestra a Hugging Face.</translation>
    </message>
    <message>
        <source>Make one on huggingface.co/settings/tokens. This computer keeps it where it keeps passwords.</source>
        <translation>Crea uno en huggingface.co/settings/tokens. Este ordenador lo guarda donde guarda las contraseñas.</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Open Waggle</source>
        <translation>Abrir Waggle</translation>
    </message>
    <message>
        <source>Join swarm</source>
        <translation>Unirse al enjambre</translation>
    </message>
    <message>
        <source>Pause for a while</source>
        <translation>Pausar un rato</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Salir</translation>
    </message>
    <message>
        <source>30 minutes</source>
        <translation>30 minutos</translation>
    </message>
    <message>
        <source>1 hour</source>
        <translation>1 hora</translation>
    </message>
    <message>
        <source>Until tomorrow</source>
        <translation>Hasta mañana</translation>
    </message>
</context>
<context>
    <name>TroublePage</name>
    <message>
        <source>Try again</source>
        <translation>Intentar de nuevo</translation>
    </message>
    <message>
        <source>Waggle cannot start yet</source>
        <translation>Waggle no puede empezar todavía</translation>
    </message>
</context>
<context>
    <name>TryForm</name>
    <message>
        <source>A puzzle</source>
        <translation>Un acertijo</translation>
    </message>
    <message>
        <source>Your own words</source>
        <translation>Tus propias palabras</translation>
    </message>
    <message>
        <source>Of any kind</source>
        <translation>De cualquier tipo</translation>
    </message>
    <message>
        <source>Kind of puzzle</source>
        <translation>Tipo de acertijo</translation>
    </message>
    <message>
        <source>Ask something, for example: What is 17 + 25?</source>
        <translation>Pregunta algo, por ejemplo: What is 17 + 25?</translation>
    </message>
</context>
<context>
    <name>TryView</name>
    <message>
        <source>Ask</source>
        <translation>Preguntar</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>Pruébalo</translation>
    </message>
    <message>
        <source>Waking the model up…</source>
        <translation>Despertando al modelo…</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>Pensando…</translation>
    </message>
    <message>
        <source>Asking…</source>
        <translation>Preguntando…</translation>
    </message>
    <message>
        <source>The answers will stand here: those of the model as it was before any practice, and beside them those of today.</source>
        <translation>Aquí estarán las respuestas: las del modelo como era antes de practicar, y al lado las de hoy.</translation>
    </message>
    <message>
        <source>Ask the same before and after practice</source>
        <translation>Preguntar lo mismo antes y después de practicar</translation>
    </message>
</context>
<context>
    <name>Walk</name>
    <message>
        <source>Back</source>
        <translation>Atrás</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Siguiente</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Listo</translation>
    </message>
    <message>
        <source>Begin</source>
        <translation>Empezar</translation>
    </message>
</context>
<context>
    <name>WeekGrid</name>
    <message>
        <source>Hours of the week</source>
        <translation>Horas de la semana</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>funciona</translation>
    </message>
    <message>
        <source>does not run</source>
        <translation>no funciona</translation>
    </message>
</context>
<context>
    <name>WindowSection</name>
    <message>
        <source>Start with the computer</source>
        <translation>Iniciar con el ordenador</translation>
    </message>
    <message>
        <source>Asking the system…</source>
        <translation>Preguntando al sistema…</translation>
    </message>
    <message>
        <source>As the system has it</source>
        <translation>Como el sistema</translation>
    </message>
    <message>
        <source>Looks</source>
        <translation>Aspecto</translation>
    </message>
    <message>
        <source>Light or dark</source>
        <translation>Claro u oscuro</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Claro</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Oscuro</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Colores</translation>
    </message>
    <message>
        <source>Honey</source>
        <translation>Miel</translation>
    </message>
    <message>
        <source>Sea</source>
        <translation>Mar</translation>
    </message>
    <message>
        <source>In both, nothing is told by red and green alone.</source>
        <translation>En ambos, nada se indica solo con rojo y verde.</translation>
    </message>
    <message>
        <source>Motion</source>
        <translation>Movimiento</translation>
    </message>
    <message>
        <source>Moves</source>
        <translation>Se mueve</translation>
    </message>
    <message>
        <source>Stands still</source>
        <translation>Está quieto</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Idioma</translation>
    </message>
    <message>
        <source>Words of this window</source>
        <translation>Palabras de esta ventana</translation>
    </message>
    <message>
        <source>Counts from the next start of Waggle.</source>
        <translation>Vale desde el próximo inicio de Waggle.</translation>
    </message>
    <message>
        <source>Stay in the tray when the window is closed</source>
        <translation>Seguir en la bandeja al cerrar la ventana</translation>
    </message>
    <message>
        <source>Practice goes on, and a small icon leads back to the window.</source>
        <translation>La práctica sigue, y un pequeño icono lleva de vuelta a la ventana.</translation>
    </message>
    <message>
        <source>This desktop has no tray. Closing the window ends practice.</source>
        <translation>Este escritorio no tiene bandeja. Cerrar la ventana termina la práctica.</translation>
    </message>
    <message>
        <source>Quietly, without a window in your way. The system has the last word on it.</source>
        <translation>En silencio, sin una ventana por medio. El sistema tiene la última palabra.</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>Notificaciones</translation>
    </message>
    <message>
        <source>Few: when practice stops for trouble, and at a milestone. Never for rounds.</source>
        <translation>Pocas: cuando la práctica se detiene por un problema, y en un hito. Nunca por rondas.</translation>
    </message>
    <message>
        <source>While you do other things</source>
        <translation>Mientras haces otras cosas</translation>
    </message>
</context>
<context>
    <name>_Facts</name>
    <message>
        <source>Model</source>
        <translation>Modelo</translation>
    </message>
    <message>
        <source>Others see you as</source>
        <translation>Otros te ven como</translation>
    </message>
    <message>
        <source>Rounds finished</source>
        <translation>Rondas terminadas</translation>
    </message>
    <message>
        <source>Last round</source>
        <translation>Última ronda</translation>
    </message>
    <message>
        <source>nobody: alone</source>
        <translation>nadie: a solas</translation>
    </message>
    <message>
        <source>not yet</source>
        <translation>aún no</translation>
    </message>
    <message>
        <source>{} puzzles tried</source>
        <translation>{} acertijos intentados</translation>
    </message>
    <message>
        <source>{own} puzzles tried, {others} more from others</source>
        <translation>{own} acertijos intentados, {others} más de otros</translation>
    </message>
</context>
<context>
    <name>_HubRow</name>
    <message>
        <source>Remove</source>
        <translation>Quitar</translation>
    </message>
    <message>
        <source>Remove {}</source>
        <translation>Quitar {}</translation>
    </message>
</context>
<context>
    <name>_PersonRow</name>
    <message>
        <source>Unblock</source>
        <translation>Desbloquear</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Bloquear</translation>
    </message>
</context>
</TS>
