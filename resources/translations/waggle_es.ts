<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="es" sourcelanguage="en">
<context>
    <name>AboutSection</name>
    <message>
        <source>Whose work is in it</source>
        <translation>De quién es el trabajo que contiene</translation>
    </message>
    <message>
        <source>Lends a computer to a swarm of small models.</source>
        <translation>Presta un ordenador a un enjambre de modelos pequeños.</translation>
    </message>
    <message>
        <source>Free software under the Apache License, version 2.0.</source>
        <translation>Software libre bajo la licencia Apache, versión 2.0.</translation>
    </message>
    <message>
        <source>This Waggle runs from its source. The licences of the libraries that it uses lie with each of them, in the environment that Waggle was installed into; its own is the file LICENSE.</source>
        <translation>Este Waggle funciona desde su código fuente. Las licencias de las bibliotecas que usa están junto a cada una, en el entorno en que se instaló Waggle; la suya es el archivo LICENSE.</translation>
    </message>
</context>
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
        <source>Any small model of the Llama or Qwen family, by its name on huggingface.co. Nothing is downloaded before you have seen how large it is and whether it fits.</source>
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
    <name>AddHub</name>
    <message>
        <source>Add one by its address</source>
        <translation>Añadir uno por su dirección</translation>
    </message>
    <message>
        <source>https://hub.example.org</source>
        <translation>https://hub.example.org</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Añadir</translation>
    </message>
    <message>
        <source>Add this meeting point</source>
        <translation>Añadir este punto de encuentro</translation>
    </message>
    <message>
        <source>There are {} already, as many as are asked. Remove one first.</source>
        <translation>Ya hay {}, y no se pregunta a más. Quita uno primero.</translation>
    </message>
</context>
<context>
    <name>AddressQuestion</name>
    <message>
        <source>Connect</source>
        <translation>Conectar</translation>
    </message>
    <message>
        <source>Do not connect</source>
        <translation>No conectar</translation>
    </message>
</context>
<context>
    <name>AmountsSection</name>
    <message>
        <source>Processor</source>
        <translation>Procesador</translation>
    </message>
    <message>
        <source>Small ones always take the processor. Counts from the next start of practice.</source>
        <translation>Los pequeños usan siempre el procesador. Vale desde el próximo inicio de la práctica.</translation>
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
        <source>Downloading models</source>
        <translation>Descargar modelos</translation>
    </message>
    <message>
        <source>As fast as they come</source>
        <translation>Tan rápido como lleguen</translation>
    </message>
    <message>
        <source>Models are large, and only downloaded when you ask for one. Practice itself exchanges a few kilobytes of text a round. Counts from the next download.</source>
        <translation>Los modelos son grandes y solo se descargan cuando tú lo pides. La práctica en sí intercambia unos pocos kilobytes de texto por ronda. Vale desde la próxima descarga.</translation>
    </message>
    <message>
        <source>Puzzles</source>
        <translation>Acertijos</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Nivel</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automático</translation>
    </message>
    <message>
        <source>Where models are trained</source>
        <translation>Dónde se entrenan los modelos</translation>
    </message>
    <message>
        <source>Automatic goes on to harder puzzles as easier ones go well. Counts from the next start of practice.</source>
        <translation>Automático pasa a acertijos más difíciles cuando los fáciles salen bien. Cuenta desde el próximo inicio de la práctica.</translation>
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
    <name>Catalogue</name>
    <message>
        <source>Chosen by its name on Hugging Face; nobody has tried it here yet.</source>
        <translation>Elegido por su nombre en Hugging Face; aquí nadie lo ha probado todavía.</translation>
    </message>
    <message>
        <source>see its page on Hugging Face</source>
        <translation>véase su página en Hugging Face</translation>
    </message>
    <message>
        <source>The smallest one: on any laptop it tries puzzles and learns from them within seconds.</source>
        <translation>El más pequeño: en cualquier portátil intenta acertijos y aprende de ellos en segundos.</translation>
    </message>
    <message>
        <source>Larger: slower to practise with, and with more room to learn.</source>
        <translation>Más grande: practica más despacio y puede aprender más.</translation>
    </message>
    <message>
        <source>The smallest one that speaks: short answers, and most computers can train it.</source>
        <translation>El más pequeño que habla: respuestas cortas, y la mayoría de los ordenadores puede entrenarlo.</translation>
    </message>
    <message>
        <source>Speaks more surely than its small sister, at three times the work.</source>
        <translation>Habla con más seguridad que su hermano pequeño, con el triple de trabajo.</translation>
    </message>
    <message>
        <source>Knows some arithmetic from the start, and learns quickly.</source>
        <translation>Sabe algo de aritmética desde el principio y aprende rápido.</translation>
    </message>
    <message>
        <source>A newer one of nearly the same size, which follows instructions better.</source>
        <translation>Uno más nuevo de casi el mismo tamaño, que sigue mejor las instrucciones.</translation>
    </message>
    <message>
        <source>Meta&apos;s small one: good with words, for computers with 8 GB or more.</source>
        <translation>El pequeño de Meta: bueno con las palabras, para ordenadores con 8 GB o más.</translation>
    </message>
    <message>
        <source>Meta asks you to accept its licence on huggingface.co before it lets you download this model, and the download needs your access token.</source>
        <translation>Meta pide que aceptes su licencia en huggingface.co antes de dejarte descargar este modelo, y para descargarlo hace falta tu clave de acceso.</translation>
    </message>
    <message>
        <source>Solves many puzzles from the start; for a computer with a good graphics card or patience.</source>
        <translation>Resuelve muchos acertijos desde el principio; para un ordenador con buena tarjeta gráfica, o con paciencia.</translation>
    </message>
    <message>
        <source>Reasons well for its size; for a computer with a good graphics card or patience.</source>
        <translation>Razona bien para su tamaño; para un ordenador con buena tarjeta gráfica, o con paciencia.</translation>
    </message>
    <message>
        <source>Strong and slow: for a graphics card with 12 GB or more.</source>
        <translation>Fuerte y lento: para una tarjeta gráfica con 12 GB o más.</translation>
    </message>
    <message>
        <source>Its licence allows research and personal use, and no commercial use.</source>
        <translation>Su licencia permite la investigación y el uso personal, pero no el comercial.</translation>
    </message>
    <message>
        <source>The strongest one offered here: for a graphics card with 16 GB or more.</source>
        <translation>El más fuerte que se ofrece aquí: para una tarjeta gráfica con 16 GB o más.</translation>
    </message>
    <message>
        <source>Write a number in another base</source>
        <translation>Escribir un número en otra base</translation>
    </message>
    <message>
        <source>Work out an expression</source>
        <translation>Calcular una expresión</translation>
    </message>
    <message>
        <source>Find the rule that changes a row of colours</source>
        <translation>Encontrar la regla que cambia una fila de colores</translation>
    </message>
    <message>
        <source>Say what a Brainf*ck program prints</source>
        <translation>Decir qué imprime un programa en Brainf*ck</translation>
    </message>
    <message>
        <source>Draw the strongest short conclusion</source>
        <translation>Sacar la conclusión corta más fuerte</translation>
    </message>
    <message>
        <source>Simplify a fraction</source>
        <translation>Simplificar una fracción</translation>
    </message>
    <message>
        <source>Work out an expression with decimals</source>
        <translation>Calcular una expresión con decimales</translation>
    </message>
    <message>
        <source>Count days and weekdays</source>
        <translation>Contar días y días de la semana</translation>
    </message>
    <message>
        <source>Give each cell&apos;s distance to the nearest zero</source>
        <translation>Dar la distancia de cada casilla al cero más cercano</translation>
    </message>
    <message>
        <source>Continue a sequence of numbers</source>
        <translation>Continuar una serie de números</translation>
    </message>
    <message>
        <source>Solve an equation</source>
        <translation>Resolver una ecuación</translation>
    </message>
    <message>
        <source>Spell a word backward</source>
        <translation>Deletrear una palabra al revés</translation>
    </message>
    <message>
        <source>Find the least common multiple</source>
        <translation>Hallar el mínimo común múltiplo</translation>
    </message>
    <message>
        <source>Find the greatest common divisor</source>
        <translation>Hallar el máximo común divisor</translation>
    </message>
    <message>
        <source>Add and subtract whole numbers</source>
        <translation>Sumar y restar números enteros</translation>
    </message>
    <message>
        <source>Add and subtract decimals</source>
        <translation>Sumar y restar decimales</translation>
    </message>
    <message>
        <source>Count the ones of a number in binary</source>
        <translation>Contar los unos de un número en binario</translation>
    </message>
    <message>
        <source>Multiply</source>
        <translation>Multiplicar</translation>
    </message>
    <message>
        <source>Say how much time passed</source>
        <translation>Decir cuánto tiempo pasó</translation>
    </message>
    <message>
        <source>Name the weekday some days away</source>
        <translation>Nombrar el día de la semana dentro de unos días</translation>
    </message>
    <message>
        <source>Count the primes in a range</source>
        <translation>Contar los primos de un intervalo</translation>
    </message>
    <message>
        <source>Split a number into its prime factors</source>
        <translation>Descomponer un número en factores primos</translation>
    </message>
    <message>
        <source>Reverse a list of words</source>
        <translation>Invertir una lista de palabras</translation>
    </message>
    <message>
        <source>Count the legs of some animals</source>
        <translation>Contar las patas de unos animales</translation>
    </message>
    <message>
        <source>Turn a square of numbers</source>
        <translation>Girar un cuadrado de números</translation>
    </message>
    <message>
        <source>Add and multiply complex numbers</source>
        <translation>Sumar y multiplicar números complejos</translation>
    </message>
    <message>
        <source>Work out an expression in hexadecimal</source>
        <translation>Calcular una expresión en hexadecimal</translation>
    </message>
    <message>
        <source>Work out the odds of some dice</source>
        <translation>Calcular las probabilidades de unos dados</translation>
    </message>
    <message>
        <source>Pick the largest or smallest of numbers written in many ways</source>
        <translation>Elegir el mayor o el menor de unos números escritos de varias formas</translation>
    </message>
    <message>
        <source>Keep the numbers on one side of a limit</source>
        <translation>Conservar los números de un lado de un límite</translation>
    </message>
    <message>
        <source>Sort numbers</source>
        <translation>Ordenar números</translation>
    </message>
    <message>
        <source>Raise a number to a power</source>
        <translation>Elevar un número a una potencia</translation>
    </message>
    <message>
        <source>Integrate a polynomial</source>
        <translation>Integrar un polinomio</translation>
    </message>
    <message>
        <source>Find the last angle of a polygon</source>
        <translation>Hallar el último ángulo de un polígono</translation>
    </message>
    <message>
        <source>Find the radius of a triangle&apos;s incircle</source>
        <translation>Hallar el radio de la circunferencia inscrita en un triángulo</translation>
    </message>
    <message>
        <source>Count a letter in a text</source>
        <translation>Contar una letra en un texto</translation>
    </message>
    <message>
        <source>Decipher a text whose letters were shifted</source>
        <translation>Descifrar un texto con las letras desplazadas</translation>
    </message>
    <message>
        <source>Unscramble the words of a text</source>
        <translation>Recomponer las palabras revueltas de un texto</translation>
    </message>
    <message>
        <source>Sort words</source>
        <translation>Ordenar palabras</translation>
    </message>
    <message>
        <source>Group words made of the same letters</source>
        <translation>Agrupar palabras hechas con las mismas letras</translation>
    </message>
    <message>
        <source>Build a palindrome from letters</source>
        <translation>Formar un palíndromo con unas letras</translation>
    </message>
    <message>
        <source>Split a text into palindromes in every way</source>
        <translation>Dividir un texto en palíndromos de todas las formas</translation>
    </message>
    <message>
        <source>Find who it is said of</source>
        <translation>Encontrar de quién se dice algo</translation>
    </message>
    <message>
        <source>Change a grid of numbers step by step</source>
        <translation>Cambiar una cuadrícula de números paso a paso</translation>
    </message>
    <message>
        <source>Read a grid of numbers in a spiral</source>
        <translation>Leer en espiral una cuadrícula de números</translation>
    </message>
    <message>
        <source>Measure the largest island</source>
        <translation>Medir la isla más grande</translation>
    </message>
    <message>
        <source>Say when the last orange rots</source>
        <translation>Decir cuándo se pudre la última naranja</translation>
    </message>
    <message>
        <source>Count the steps through a maze</source>
        <translation>Contar los pasos por un laberinto</translation>
    </message>
    <message>
        <source>Find the only shortest path</source>
        <translation>Encontrar el único camino más corto</translation>
    </message>
    <message>
        <source>Count the rectangles in a drawing</source>
        <translation>Contar los rectángulos de un dibujo</translation>
    </message>
    <message>
        <source>Solve a small sudoku</source>
        <translation>Resolver un sudoku pequeño</translation>
    </message>
    <message>
        <source>Fill a square so that its signs hold</source>
        <translation>Rellenar un cuadrado de modo que se cumplan sus signos</translation>
    </message>
    <message>
        <source>Place ones so that rows and columns add up</source>
        <translation>Colocar unos para que cuadren las filas y columnas</translation>
    </message>
    <message>
        <source>Fill numbers into a table so that it adds up</source>
        <translation>Rellenar una tabla con números para que cuadren las sumas</translation>
    </message>
    <message>
        <source>Place the missing queens</source>
        <translation>Colocar las damas que faltan</translation>
    </message>
    <message>
        <source>Rewrite tokens until no rule applies</source>
        <translation>Reescribir símbolos hasta que no se aplique ninguna regla</translation>
    </message>
    <message>
        <source>Count the swaps that make bits alternate</source>
        <translation>Contar los cambios que hacen alternar unos bits</translation>
    </message>
    <message>
        <source>Follow the colours of a turned cube</source>
        <translation>Seguir los colores de un cubo que gira</translation>
    </message>
    <message>
        <source>Follow the edges of a graph</source>
        <translation>Seguir las aristas de un grafo</translation>
    </message>
    <message>
        <source>Count the sisters of a brother</source>
        <translation>Contar las hermanas de un hermano</translation>
    </message>
    <message>
        <source>Say how two people are related</source>
        <translation>Decir qué parentesco tienen dos personas</translation>
    </message>
    <message>
        <source>Tell knights from knaves</source>
        <translation>Distinguir caballeros de bribones</translation>
    </message>
    <message>
        <source>The meadow</source>
        <translation>El prado</translation>
    </message>
    <message>
        <source>The swarm for everybody: all puzzles, all model sizes.</source>
        <translation>El enjambre para todos: todos los acertijos, todos los tamaños de modelo.</translation>
    </message>
</context>
<context>
    <name>Child</name>
    <message>
        <source>it could not be started</source>
        <translation>no se pudo iniciar</translation>
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
    <message>
        <source>{energy} today so far: what a {watts}-watt lamp takes in {time}.</source>
        <translation>{energy} hoy hasta ahora: lo que gasta una lámpara de {watts} vatios en {time}.</translation>
    </message>
    <message>
        <source>{energy} on a day with practice: what a {watts}-watt lamp takes in {time}.</source>
        <translation>{energy} en un día de práctica: lo que gasta una lámpara de {watts} vatios en {time}.</translation>
    </message>
    <message>
        <source>less than {} kWh</source>
        <translation>menos de {} kWh</translation>
    </message>
    <message>
        <source>{} kWh</source>
        <translation>{} kWh</translation>
    </message>
    <message>
        <source>Counted by the processor itself; Waggle&apos;s share of it.</source>
        <translation>Contado por el propio procesador; la parte de Waggle.</translation>
    </message>
    <message>
        <source>An estimate: {time} of one processor core a day, at {watts} watts, by the table of green-algorithms.org. Screen and memory are not in it.</source>
        <translation>Una estimación: {time} de un núcleo del procesador al día, a {watts} vatios según la tabla de green-algorithms.org. La pantalla y la memoria no están incluidas.</translation>
    </message>
    <message>
        <source>Rounds of earlier releases and on graphics cards are not in it: {}.</source>
        <translation>No se incluyen las rondas de versiones anteriores ni en tarjetas gráficas: {}.</translation>
    </message>
    <message>
        <source>Right now the whole computer draws {watts} watts.</source>
        <translation>Ahora mismo todo el ordenador consume {watts} vatios.</translation>
    </message>
    <message>
        <source>The battery lasts {time} more at the present pace.</source>
        <translation>Con este consumo, a la batería le quedan {time}.</translation>
    </message>
    <message>
        <source>Right now the whole computer draws {watts} watts: the battery lasts {time} more.</source>
        <translation>Ahora mismo todo el ordenador consume {watts} vatios: a la batería le quedan {time}.</translation>
    </message>
</context>
<context>
    <name>ContributionPage</name>
    <message>
        <source>Try again</source>
        <translation>Intentar de nuevo</translation>
    </message>
    <message>
        <source>Open Home</source>
        <translation>Abrir Inicio</translation>
    </message>
    <message>
        <source>Join the swarm on the page Home: the first round counts.</source>
        <translation>Únete al enjambre en la página Inicio: la primera ronda cuenta.</translation>
    </message>
</context>
<context>
    <name>Core</name>
    <message>
        <source>Waking the model up</source>
        <translation>Despertando el modelo</translation>
    </message>
    <message>
        <source>Something unexpected went wrong. The log folder says more; please report it, and try again.</source>
        <translation>Algo inesperado salió mal. La carpeta de registros dice más; comunícalo, por favor, e inténtalo de nuevo.</translation>
    </message>
    <message>
        <source>An exam needs at least {} puzzles; ask for more.</source>
        <translation>Un examen necesita al menos {} acertijos; pide más.</translation>
    </message>
    <message>
        <source>The model {} has already practised here with {} {}, not {}. Leave out --{} to go on with it, or choose another folder with --home.</source>
        <translation>El modelo {} ya ha practicado aquí con {} {}, no con {}. Quita --{} para seguir con ello, o elige otra carpeta con --home.</translation>
    </message>
    <message>
        <source>choosing puzzles</source>
        <translation>eligiendo acertijos</translation>
    </message>
    <message>
        <source>trying puzzles</source>
        <translation>probando acertijos</translation>
    </message>
    <message>
        <source>checking answers</source>
        <translation>comprobando respuestas</translation>
    </message>
    <message>
        <source>sharing with the swarm</source>
        <translation>compartiendo con el enjambre</translation>
    </message>
    <message>
        <source>learning</source>
        <translation>aprendiendo</translation>
    </message>
    <message>
        <source>saving</source>
        <translation>guardando</translation>
    </message>
    <message>
        <source>resting, so as not to take all of the computer</source>
        <translation>descansando, para no ocupar todo el ordenador</translation>
    </message>
    <message>
        <source>Paused because you asked.</source>
        <translation>En pausa porque lo pediste.</translation>
    </message>
    <message>
        <source>Paused for a while, as you asked.</source>
        <translation>En pausa por un rato, como pediste.</translation>
    </message>
    <message>
        <source>Paused outside the hours that you chose.</source>
        <translation>En pausa fuera de las horas que elegiste.</translation>
    </message>
    <message>
        <source>Paused while the computer runs on battery.</source>
        <translation>En pausa mientras el ordenador funciona con batería.</translation>
    </message>
    <message>
        <source>Paused while a program runs.</source>
        <translation>En pausa mientras un programa está abierto.</translation>
    </message>
    <message>
        <source>Paused while something fills the screen.</source>
        <translation>En pausa mientras algo llena la pantalla.</translation>
    </message>
    <message>
        <source>Paused while you use the computer.</source>
        <translation>En pausa mientras usas el ordenador.</translation>
    </message>
    <message>
        <source>Paused until the computer has cooled down.</source>
        <translation>En pausa hasta que el ordenador se enfríe.</translation>
    </message>
    <message>
        <source>Paused because little memory is free.</source>
        <translation>En pausa porque queda poca memoria libre.</translation>
    </message>
    <message>
        <source>Paused because the disk is nearly full. Free some space.</source>
        <translation>En pausa porque el disco está casi lleno. Libera algo de espacio.</translation>
    </message>
    <message>
        <source>Paused while the computer is busy with something else.</source>
        <translation>En pausa mientras el ordenador está ocupado con otra cosa.</translation>
    </message>
    <message>
        <source>Monday</source>
        <translation>lunes</translation>
    </message>
    <message>
        <source>Tuesday</source>
        <translation>martes</translation>
    </message>
    <message>
        <source>Wednesday</source>
        <translation>miércoles</translation>
    </message>
    <message>
        <source>Thursday</source>
        <translation>jueves</translation>
    </message>
    <message>
        <source>Friday</source>
        <translation>viernes</translation>
    </message>
    <message>
        <source>Saturday</source>
        <translation>sábado</translation>
    </message>
    <message>
        <source>Sunday</source>
        <translation>domingo</translation>
    </message>
    <message>
        <source>Round {0}: {1}.</source>
        <translation>Ronda {0}: {1}.</translation>
    </message>
    <message>
        <source>Getting to know your model: {} %.</source>
        <translation>Conociendo tu modelo: {} %.</translation>
    </message>
    <message>
        <source>First it is seen how far your model gets in each kind of puzzle, from the easiest level up. Then there is a number.</source>
        <translation>Primero se ve hasta dónde llega tu modelo en cada tipo de acertijo, empezando por el nivel más fácil. Después hay una cifra.</translation>
    </message>
    <message>
        <source>Paused while {} runs.</source>
        <translation>En pausa mientras {} está abierto.</translation>
    </message>
    <message>
        <source>Goes on on {0} at {1}.</source>
        <translation>Sigue el {0} a las {1}.</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>empezando</translation>
    </message>
    <message>
        <source>Round {0}: {1}; this is the last round.</source>
        <translation>Ronda {0}: {1}; es la última ronda.</translation>
    </message>
    <message>
        <source>Round {0}: {1}; pausing after it.</source>
        <translation>Ronda {0}: {1}; después, pausa.</translation>
    </message>
    <message>
        <source>Your model has not practised yet.</source>
        <translation>Tu modelo aún no ha practicado.</translation>
    </message>
    <message>
        <source>Ready when you are.</source>
        <translation>Listo cuando tú lo estés.</translation>
    </message>
    <message>
        <source>{}…</source>
        <translation>{}…</translation>
    </message>
    <message>
        <source>Stopped. Everything that was learnt is saved.</source>
        <translation>Detenido. Todo lo aprendido está guardado.</translation>
    </message>
    <message>
        <source>Goes on at {}.</source>
        <translation>Sigue a las {}.</translation>
    </message>
    <message>
        <source>Swarm: {} %.</source>
        <translation>Enjambre: {} %.</translation>
    </message>
    <message>
        <source>Getting ready</source>
        <translation>Preparando</translation>
    </message>
    <message>
        <source>This system does not let Waggle change what starts with it ({}). Look into its own settings for programs that start by themselves.</source>
        <translation>Este sistema no deja que Waggle cambie lo que arranca con él ({}). Mira en sus propios ajustes de programas que arrancan solos.</translation>
    </message>
    <message>
        <source>This model has not practised here yet, so there is nothing to put aside.</source>
        <translation>Este modelo aún no ha practicado aquí, así que no hay nada que apartar.</translation>
    </message>
    <message>
        <source>There is no such backup any more. Look at the list again.</source>
        <translation>Esa copia ya no existe. Mira la lista de nuevo.</translation>
    </message>
    <message>
        <source>{} was not started over</source>
        <translation>{} no empezó de nuevo</translation>
    </message>
    <message>
        <source>nothing was brought back</source>
        <translation>no se recuperó nada</translation>
    </message>
    <message>
        <source>This computer is {} from the next start of practice on.</source>
        <translation>Este ordenador es {} desde el próximo inicio de la práctica.</translation>
    </message>
    <message>
        <source>Everything that Waggle kept on this computer is removed.</source>
        <translation>Todo lo que Waggle guardaba en este ordenador está eliminado.</translation>
    </message>
    <message>
        <source>Who was here before is kept in {}.</source>
        <translation>Quien estaba aquí antes se guarda en {}.</translation>
    </message>
    <message>
        <source>In {} is left what Waggle did not make.</source>
        <translation>En {} queda lo que Waggle no creó.</translation>
    </message>
    <message>
        <source>{} cannot be written ({}). Choose another place.</source>
        <translation>No se puede escribir {} ({}). Elige otro lugar.</translation>
    </message>
    <message>
        <source>This computer has no identity yet. Join a swarm once, then there is one to back up.</source>
        <translation>Este ordenador aún no tiene identidad. Únete una vez a un enjambre y habrá una de la que hacer copia.</translation>
    </message>
    <message>
        <source>{} is backed up in {}. Keep that file to yourself.</source>
        <translation>La copia de {} está en {}. Guarda ese archivo solo para ti.</translation>
    </message>
    <message>
        <source>{} is no backup of an identity. Choose another file.</source>
        <translation>{} no es la copia de una identidad. Elige otro archivo.</translation>
    </message>
    <message>
        <source>{} cannot be read ({}). Choose another file.</source>
        <translation>No se puede leer {} ({}). Elige otro archivo.</translation>
    </message>
    <message>
        <source>The identity of this node, {}, is damaged. Restore a backup of it.</source>
        <translation>La identidad de este nodo, {}, está dañada. Restaura una copia.</translation>
    </message>
    <message>
        <source>{} {} on {}, {} cores, Python {}</source>
        <translation>{} {} en {}, {} núcleos, Python {}</translation>
    </message>
    <message>
        <source>{0} of {1} are free</source>
        <translation>{0} de {1} están libres</translation>
    </message>
    <message>
        <source>PyTorch, and llama.cpp is not installed; fastest here: {}</source>
        <translation>PyTorch, y llama.cpp no está instalado; lo más rápido aquí: {}</translation>
    </message>
    <message>
        <source>{0} are free for {1}</source>
        <translation>{0} están libres para {1}</translation>
    </message>
    <message>
        <source>defaults; to change them, write {}</source>
        <translation>valores por defecto; para cambiarlos, escribe {}</translation>
    </message>
    <message>
        <source>found out at first use</source>
        <translation>se averigua al usarlo por primera vez</translation>
    </message>
    <message>
        <source>as in {}</source>
        <translation>como en {}</translation>
    </message>
    <message>
        <source>PyTorch, and llama.cpp too; fastest here: {}</source>
        <translation>PyTorch, y también llama.cpp; lo más rápido aquí: {}</translation>
    </message>
    <message>
        <source>{}, {}, cannot be used ({}). Move it away to start a new one, or choose another folder.</source>
        <translation>{}, {}, no se puede usar ({}). Apártalo para empezar de nuevo, o elige otra carpeta.</translation>
    </message>
    <message>
        <source>The record of rounds {} was written by a newer Waggle. Update this one, or choose another folder.</source>
        <translation>El registro de rondas {} lo escribió un Waggle más nuevo. Actualiza este, o elige otra carpeta.</translation>
    </message>
    <message>
        <source>rotations of the type {}</source>
        <translation>rotaciones del tipo {}</translation>
    </message>
    <message>
        <source>a tensor like {}</source>
        <translation>un tensor como {}</translation>
    </message>
    <message>
        <source>weights as safetensors</source>
        <translation>los pesos en formato safetensors</translation>
    </message>
    <message>
        <source>an orderly list of files</source>
        <translation>una lista de archivos en orden</translation>
    </message>
    <message>
        <source>{} has {}, too much for Waggle. Choose a smaller model.</source>
        <translation>{} tiene {}, demasiado para Waggle. Elige un modelo más pequeño.</translation>
    </message>
    <message>
        <source>Nothing can listen on {} ({}). Choose another port or address.</source>
        <translation>No se puede escuchar en {} ({}). Elige otro puerto u otra dirección.</translation>
    </message>
    <message>
        <source>Waggle cannot use the folder {} ({}). Make it writable, or choose another one.</source>
        <translation>Waggle no puede usar la carpeta {} ({}). Permite escribir en ella, o elige otra.</translation>
    </message>
    <message>
        <source>{} of memory are free</source>
        <translation>hay {} de memoria libres</translation>
    </message>
    <message>
        <source>{} are free on the disk</source>
        <translation>hay {} libres en el disco</translation>
    </message>
    <message>
        <source>The meeting point at {} takes nothing of what you share; ask its host, or use another one.</source>
        <translation>El punto de encuentro de {} no acepta nada de lo que compartes; pregunta a quien lo aloja o usa otro.</translation>
    </message>
    <message>
        <source>answers of others are judged in a process of its own: {}.</source>
        <translation>las respuestas de otros se juzgan en un proceso propio: {}.</translation>
    </message>
    <message>
        <source>only {0} are free for {1}; free some space</source>
        <translation>solo {0} están libres para {1}; libera algo de espacio</translation>
    </message>
    <message>
        <source>Not to be had here: {}.</source>
        <translation>No disponible aquí: {}.</translation>
    </message>
    <message>
        <source>none</source>
        <translation>ninguna</translation>
    </message>
    <message>
        <source>try again</source>
        <translation>inténtalo de nuevo</translation>
    </message>
    <message>
        <source>This cannot be done while Waggle practises. Stop practice on Home, then try again.</source>
        <translation>Esto no se puede hacer mientras Waggle practica. Detén la práctica en Inicio e inténtalo de nuevo.</translation>
    </message>
    <message>
        <source>Another Waggle is already running on {}. Use that one, or give this one a folder of its own.</source>
        <translation>Ya hay otro Waggle en marcha en {}. Usa ese, o dale a este su propia carpeta.</translation>
    </message>
    <message>
        <source>Then it pauses, as you asked.</source>
        <translation>Después hace una pausa, como pediste.</translation>
    </message>
    <message>
        <source>Then it pauses for a while, as you asked.</source>
        <translation>Después hace una pausa por un rato, como pediste.</translation>
    </message>
    <message>
        <source>Then it pauses, because the hours that you chose are over.</source>
        <translation>Después hace una pausa, porque han terminado las horas que elegiste.</translation>
    </message>
    <message>
        <source>Then it pauses, because the computer runs on battery.</source>
        <translation>Después hace una pausa, porque el ordenador funciona con batería.</translation>
    </message>
    <message>
        <source>Then it pauses, because a program runs.</source>
        <translation>Después hace una pausa, porque un programa está abierto.</translation>
    </message>
    <message>
        <source>Then it pauses, because something fills the screen.</source>
        <translation>Después hace una pausa, porque algo llena la pantalla.</translation>
    </message>
    <message>
        <source>Then it pauses, because you use the computer.</source>
        <translation>Después hace una pausa, porque usas el ordenador.</translation>
    </message>
    <message>
        <source>Then it pauses, because the computer is hot.</source>
        <translation>Después hace una pausa, porque el ordenador está caliente.</translation>
    </message>
    <message>
        <source>Then it pauses, because little memory is free.</source>
        <translation>Después hace una pausa, porque queda poca memoria libre.</translation>
    </message>
    <message>
        <source>Then it pauses, because the disk is nearly full.</source>
        <translation>Después hace una pausa, porque el disco está casi lleno.</translation>
    </message>
    <message>
        <source>Then it pauses, because the computer is busy with something else.</source>
        <translation>Después hace una pausa, porque el ordenador está ocupado con otra cosa.</translation>
    </message>
    <message>
        <source>resting until {}, so as not to take all of the computer</source>
        <translation>descansando hasta las {}, para no ocupar todo el ordenador</translation>
    </message>
    <message>
        <source>Then it pauses, because {} runs.</source>
        <translation>Después hace una pausa, porque {} está abierto.</translation>
    </message>
    <message>
        <source>{} are here; {} more can be downloaded</source>
        <translation>{} están aquí; se pueden descargar {} más</translation>
    </message>
    <message>
        <source>For a moment this takes about {} of memory, and {} are free. Close other programs, or stop practising, and try again.</source>
        <translation>Por un momento esto necesita unos {} de memoria, y hay {} libres. Cierra otros programas, o detén la práctica, e inténtalo de nuevo.</translation>
    </message>
    <message>
        <source>The meeting point on this computer ended unexpectedly. Open it again; if that goes on, the log folder says more.</source>
        <translation>El punto de encuentro de este ordenador terminó sin esperarlo. Ábrelo otra vez; si continúa, la carpeta de registros dice más.</translation>
    </message>
    <message>
        <source>The meeting point cannot be started ({}). Close other programs, or restart the computer.</source>
        <translation>No se puede iniciar el punto de encuentro ({}). Cierra otros programas, o reinicia el ordenador.</translation>
    </message>
    <message>
        <source>{} is no id of a meeting point. It shows one when it opens.</source>
        <translation>{} no es el identificador de un punto de encuentro. Este muestra uno al abrirse.</translation>
    </message>
    <message>
        <source>{} is no picture that can be made. Name it .png or .svg.</source>
        <translation>{} no es una imagen que se pueda crear. Haz que termine en .png o .svg.</translation>
    </message>
    <message>
        <source>This invite names a meeting point that has no proper address ({}). Ask for a new invite.</source>
        <translation>Esta invitación nombra un punto de encuentro sin una dirección correcta ({}). Pide una invitación nueva.</translation>
    </message>
    <message>
        <source>{} was not downloaded again</source>
        <translation>{} no se descargó de nuevo</translation>
    </message>
    <message>
        <source>Damaged: {}. Download the model again.</source>
        <translation>Dañado: {}. Descarga el modelo de nuevo.</translation>
    </message>
    <message>
        <source>{} comes with Waggle and stays. Nothing was removed.</source>
        <translation>{} viene con Waggle y se queda. No se eliminó nada.</translation>
    </message>
    <message>
        <source>{} was not removed</source>
        <translation>{} no se eliminó</translation>
    </message>
    <message>
        <source>Nothing of {} was on this computer; nothing was removed.</source>
        <translation>No había nada de {} en este ordenador; no se eliminó nada.</translation>
    </message>
    <message>
        <source>{} was not downloaded, so there is nothing to check.</source>
        <translation>{} no se descargó, así que no hay nada que comprobar.</translation>
    </message>
    <message>
        <source>A Waggle is running on {}, so {}. Stop it, then try again.</source>
        <translation>Hay un Waggle en marcha en {}, por eso: {}. Detenlo e inténtalo de nuevo.</translation>
    </message>
    <message>
        <source>others nearby can be looked for on {}</source>
        <translation>se puede buscar a otros cercanos por {}</translation>
    </message>
    <message>
        <source>a port can be opened for others on this network</source>
        <translation>se puede abrir un puerto para otros de esta red</translation>
    </message>
    <message>
        <source>{} answers, with a clock {} s apart</source>
        <translation>{} responde, con un reloj que difiere {} s</translation>
    </message>
    <message>
        <source>{} answers, but its clock is {} minutes behind this computer&apos;s. Set the clock.</source>
        <translation>{} responde, pero su reloj va {} minutos por detrás del de este ordenador. Pon el reloj en hora.</translation>
    </message>
    <message>
        <source>none is named; others are met on this network and by invites</source>
        <translation>no se nombra ninguno; se encuentra a otros en esta red y por invitaciones</translation>
    </message>
    <message>
        <source>{} answers, with the same time</source>
        <translation>{} responde, con la misma hora</translation>
    </message>
    <message>
        <source>{} answers, but its clock is {} minutes before this computer&apos;s. Set the clock.</source>
        <translation>{} responde, pero su reloj va {} minutos por delante del de este ordenador. Pon el reloj en hora.</translation>
    </message>
    <message>
        <source>Somebody else answers at this computer&apos;s ports. Ask who looks after it.</source>
        <translation>Alguien distinto responde en los puertos de este ordenador. Pregunta a quien se ocupa de él.</translation>
    </message>
    <message>
        <source>{} does not answer ({}). Check its address and this computer&apos;s connection.</source>
        <translation>{} no responde ({}). Comprueba su dirección y la conexión de este ordenador.</translation>
    </message>
    <message>
        <source>{} is a meeting point of another release. Update Waggle; if it is up to date, the meeting point has to be.</source>
        <translation>{} es un punto de encuentro de otra versión. Actualiza Waggle; si ya está al día, hay que actualizar el punto de encuentro.</translation>
    </message>
    <message>
        <source>Somebody else answers at {}. Ask for a new invite.</source>
        <translation>Alguien distinto responde en {}. Pide una invitación nueva.</translation>
    </message>
    <message>
        <source>installed</source>
        <translation>instalado</translation>
    </message>
    <message>
        <source>Nobody can ask this computer directly ({}). Let Waggle open ports in the firewall, or meet others at hubs.</source>
        <translation>Nadie puede preguntar directamente a este ordenador ({}). Deja que Waggle abra puertos en el cortafuegos, o encuentra a otros en puntos de encuentro.</translation>
    </message>
    <message>
        <source>{} needs about {} of memory to answer, and {} are free. Close other programs, or stop practising for as long as it takes.</source>
        <translation>{} necesita unos {} de memoria para responder, y hay {} libres. Cierra otros programas, o detén la práctica mientras dure.</translation>
    </message>
    <message>
        <source>{} holds these findings, the versions of what is installed and the last {} lines of the log. Addresses, ids, invites and names were taken out. Look into it before you hand it on.</source>
        <translation>{} contiene estos hallazgos, las versiones de lo instalado y las últimas {} líneas del registro. Se han quitado direcciones, identificadores, invitaciones y nombres. Míralo antes de pasarlo a otros.</translation>
    </message>
    <message>
        <source>That is too long for {}. Ask it something shorter.</source>
        <translation>Eso es demasiado largo para {}. Pregunta algo más corto.</translation>
    </message>
    <message>
        <source>The answers could not be checked. Try another puzzle.</source>
        <translation>No se pudieron comprobar las respuestas. Prueba con otro acertijo.</translation>
    </message>
    <message>
        <source>There is nothing to answer yet. Write a question first.</source>
        <translation>Aún no hay nada que responder. Escribe primero una pregunta.</translation>
    </message>
    <message>
        <source>{} is no address. Write it like 0.0.0.0:8765 or [::]:8765.</source>
        <translation>{} no es una dirección. Escríbela como 0.0.0.0:8765 o [::]:8765.</translation>
    </message>
    <message>
        <source>{} is no store. Write it like sqlite:hub.sqlite or redis://127.0.0.1:6379.</source>
        <translation>{} no es un almacén. Escríbelo como sqlite:hub.sqlite o redis://127.0.0.1:6379.</translation>
    </message>
    <message>
        <source>The record of rounds</source>
        <translation>El registro de rondas</translation>
    </message>
    <message>
        <source>{}.{} GB</source>
        <translation>{},{} GB</translation>
    </message>
    <message>
        <source>Choose one of: {}.</source>
        <translation>Elige uno de: {}.</translation>
    </message>
    <message>
        <source>{} MB</source>
        <translation>{} MB</translation>
    </message>
    <message>
        <source>Did you mean {}?</source>
        <translation>¿Querías decir {}?</translation>
    </message>
    <message>
        <source>There is no model called {}. {}</source>
        <translation>No hay ningún modelo llamado {}. {}</translation>
    </message>
    <message>
        <source>The list of models {} cannot be read ({}). Install Waggle again.</source>
        <translation>No se puede leer la lista de modelos {} ({}). Instala Waggle de nuevo.</translation>
    </message>
    <message>
        <source>it takes more than {} seconds</source>
        <translation>tarda más de {} segundos</translation>
    </message>
    <message>
        <source>it takes more than {} MB of memory</source>
        <translation>ocupa más de {} MB de memoria</translation>
    </message>
    <message>
        <source>it says too much</source>
        <translation>dice demasiado</translation>
    </message>
    <message>
        <source>it crashes what reads it</source>
        <translation>hace fallar al programa que lo lee</translation>
    </message>
    <message>
        <source>it cannot be tried out ({})</source>
        <translation>no se puede probar ({})</translation>
    </message>
    <message>
        <source>{} ships with Waggle. There is nothing to download.</source>
        <translation>{} viene con Waggle. No hay nada que descargar.</translation>
    </message>
    <message>
        <source>{} exists already. Choose another place, or let it be replaced.</source>
        <translation>{} ya existe. Elige otro lugar, o deja que se reemplace.</translation>
    </message>
    <message>
        <source>{} is no earlier export, so it is not replaced. Choose another place.</source>
        <translation>{} no es una exportación anterior, por eso no se reemplaza. Elige otro lugar.</translation>
    </message>
    <message>
        <source>The tokenizer of the model {} in {} is missing, damaged or of an unknown kind. Install the model again, or export it in another form.</source>
        <translation>El tokenizador del modelo {} en {} falta, está dañado o es de un tipo desconocido. Instala el modelo de nuevo, o expórtalo en otra forma.</translation>
    </message>
    <message>
        <source>Your access token does not open {}. Accept the model&apos;s licence on huggingface.co/{}, then try again.</source>
        <translation>Tu clave de acceso no abre {}. Acepta la licencia del modelo en huggingface.co/{} e inténtalo de nuevo.</translation>
    </message>
    <message>
        <source>The model hub answered with the error {} when asked for {}. Try again later.</source>
        <translation>La fuente de modelos respondió con el error {} al pedirle {}. Inténtalo más tarde.</translation>
    </message>
    <message>
        <source>{} has {} files, too many for Waggle. Choose another model.</source>
        <translation>{} tiene {} archivos, demasiados para Waggle. Elige otro modelo.</translation>
    </message>
    <message>
        <source>{} needs your access token, which is not sent to {}: that line is not encrypted. Let HF_ENDPOINT begin with https.</source>
        <translation>{} necesita tu clave de acceso, que no se envía a {}: esa línea no está cifrada. Haz que HF_ENDPOINT empiece por https.</translation>
    </message>
    <message>
        <source>{} is only given to those who accepted its licence. Accept it on huggingface.co/{}, make an access token there, and give it to Waggle on the page Models, or with: waggle models token</source>
        <translation>{} solo se da a quienes aceptaron su licencia. Acéptala en huggingface.co/{}, crea allí una clave de acceso y dásela a Waggle en la página Modelos, o con: waggle models token</translation>
    </message>
    <message>
        <source>Hugging Face refused your access token; it may have expired. Make a new one on huggingface.co/settings/tokens and put it into HF_TOKEN where you set that variable, else give it to Waggle on the page Models, or with: waggle models token</source>
        <translation>Hugging Face rechazó tu clave de acceso; puede que haya caducado. Crea una nueva en huggingface.co/settings/tokens y ponla en HF_TOKEN donde definas esa variable; si no, dásela a Waggle en la página Modelos, o con: waggle models token</translation>
    </message>
    <message>
        <source>a file {}</source>
        <translation>un archivo {}</translation>
    </message>
    <message>
        <source>{} cannot be downloaded while HF_HUB_OFFLINE forbids the network. Unset that variable and try again.</source>
        <translation>{} no se puede descargar mientras HF_HUB_OFFLINE prohíba la red. Quita esa variable e inténtalo de nuevo.</translation>
    </message>
    <message>
        <source>The model hub cannot be reached, or does not answer as it should. Look at your connection and try again.</source>
        <translation>No se puede llegar a la fuente de modelos, o no responde como debería. Mira tu conexión e inténtalo de nuevo.</translation>
    </message>
    <message>
        <source>That is no access token: it has blanks or signs that none has. Copy it again from huggingface.co/settings/tokens and give it to Waggle on the page Models, or with: waggle models token</source>
        <translation>Eso no es una clave de acceso: tiene espacios o signos que ninguna tiene. Cópiala de nuevo de huggingface.co/settings/tokens y dásela a Waggle en la página Modelos, o con: waggle models token</translation>
    </message>
    <message>
        <source>This computer has no keyring that could keep the token ({}). Put it into the environment variable HF_TOKEN instead.</source>
        <translation>Este ordenador no tiene un llavero que pueda guardar la clave ({}). Ponla en la variable de entorno HF_TOKEN.</translation>
    </message>
    <message>
        <source>it is of the family {}, not {}</source>
        <translation>es de la familia {}, no {}</translation>
    </message>
    <message>
        <source>The model {} cannot be used: {}. Choose another one.</source>
        <translation>El modelo {} no se puede usar: {}. Elige otro.</translation>
    </message>
    <message>
        <source>it reads no more than {} tokens at once</source>
        <translation>no lee más de {} tokens a la vez</translation>
    </message>
    <message>
        <source>its tokenizer belongs to another model</source>
        <translation>su tokenizador es de otro modelo</translation>
    </message>
    <message>
        <source>its chat template leaves {} of {} tokens for a question and its answer, which take {}</source>
        <translation>su plantilla de chat deja {} de {} tokens para una pregunta y su respuesta, que ocupan {}</translation>
    </message>
    <message>
        <source>its weights in {} are missing</source>
        <translation>faltan sus pesos en {}</translation>
    </message>
    <message>
        <source>its configuration is missing</source>
        <translation>falta su configuración</translation>
    </message>
    <message>
        <source>its tokenizer cannot read every text</source>
        <translation>su tokenizador no puede leer todos los textos</translation>
    </message>
    <message>
        <source>its generation settings are damaged</source>
        <translation>sus ajustes de generación están dañados</translation>
    </message>
    <message>
        <source>its tokenizer is missing or damaged</source>
        <translation>su tokenizador falta o está dañado</translation>
    </message>
    <message>
        <source>its chat template adds nothing to a question</source>
        <translation>su plantilla de chat no añade nada a una pregunta</translation>
    </message>
    <message>
        <source>its chat template is missing</source>
        <translation>falta su plantilla de chat</translation>
    </message>
    <message>
        <source>its tokenizer has no end-of-sequence token</source>
        <translation>su tokenizador no tiene un token de fin de secuencia</translation>
    </message>
    <message>
        <source>its chat template is of no use: {}</source>
        <translation>su plantilla de chat no sirve: {}</translation>
    </message>
    <message>
        <source>its chat template is damaged</source>
        <translation>su plantilla de chat está dañada</translation>
    </message>
    <message>
        <source>download the model again; what came in is kept, and it goes on where it stopped</source>
        <translation>descarga el modelo de nuevo; lo que llegó se conserva, y sigue donde se quedó</translation>
    </message>
    <message>
        <source>Files of the model {} are missing. Download it again on the page Models, or with: waggle models get {}</source>
        <translation>Faltan archivos del modelo {}. Descárgalo de nuevo en la página Modelos, o con: waggle models get {}</translation>
    </message>
    <message>
        <source> ({})</source>
        <translation> ({})</translation>
    </message>
    <message>
        <source>Another Waggle is downloading {} right now. Wait until it is done.</source>
        <translation>Otro Waggle está descargando {} ahora mismo. Espera a que termine.</translation>
    </message>
    <message>
        <source>The certificate of the model hub cannot be trusted, so nothing was downloaded. Look at this computer&apos;s clock; where a company looks into the traffic, name the file with its certificate in SSL_CERT_FILE.</source>
        <translation>El certificado de la fuente de modelos no es de fiar, por eso no se descargó nada. Mira el reloj de este ordenador; donde una empresa mira el tráfico, nombra el archivo con su certificado en SSL_CERT_FILE.</translation>
    </message>
    <message>
        <source>No encrypted line to the model hub could be made. Look at HF_ENDPOINT, at the proxy settings of this computer, and at programs that look into its traffic.</source>
        <translation>No se pudo establecer una línea cifrada con la fuente de modelos. Mira HF_ENDPOINT, los ajustes de proxy de este ordenador y los programas que miran su tráfico.</translation>
    </message>
    <message>
        <source>The model hub sends Waggle to an address that is none ({}). Look at HF_ENDPOINT and at the proxy settings of this computer.</source>
        <translation>La fuente de modelos envía a Waggle a una dirección que no lo es ({}). Mira HF_ENDPOINT y los ajustes de proxy de este ordenador.</translation>
    </message>
    <message>
        <source>its weights are missing or damaged</source>
        <translation>sus pesos faltan o están dañados</translation>
    </message>
    <message>
        <source>The model {} in {} cannot be used: {}. Install it again.</source>
        <translation>El modelo {} en {} no se puede usar: {}. Instálalo de nuevo.</translation>
    </message>
    <message>
        <source>its configuration is not understood</source>
        <translation>no se entiende su configuración</translation>
    </message>
    <message>
        <source>some of its weights are missing, such as {}</source>
        <translation>faltan algunos de sus pesos, como {}</translation>
    </message>
    <message>
        <source>it has more than {} characters</source>
        <translation>tiene más de {} caracteres</translation>
    </message>
    <message>
        <source>it is no text</source>
        <translation>no es texto</translation>
    </message>
    <message>
        <source>it breaks out of its bounds</source>
        <translation>se sale de sus límites</translation>
    </message>
    <message>
        <source>it counts positions in another way than those supported: {}</source>
        <translation>cuenta las posiciones de un modo que no se admite; se admiten: {}</translation>
    </message>
    <message>
        <source>its way of counting positions is not described in full</source>
        <translation>su modo de contar posiciones no está descrito por completo</translation>
    </message>
    <message>
        <source>it is of the architecture {}, and only these are supported: {}</source>
        <translation>su arquitectura es {}, y solo se admiten estas: {}</translation>
    </message>
    <message>
        <source>its weights are quantised, and only plain ones can be trained here</source>
        <translation>sus pesos están cuantizados, y aquí solo se pueden entrenar los que no lo están</translation>
    </message>
    <message>
        <source>it looks back through a sliding window, which is not supported</source>
        <translation>mira hacia atrás por una ventana deslizante, y eso no se admite</translation>
    </message>
    <message>
        <source>it has layers that are not supported</source>
        <translation>tiene capas que no se admiten</translation>
    </message>
    <message>
        <source>its attention heads do not divide evenly</source>
        <translation>sus cabezas de atención no se reparten por igual</translation>
    </message>
    <message>
        <source>its configuration names no architecture</source>
        <translation>su configuración no nombra ninguna arquitectura</translation>
    </message>
    <message>
        <source>its configuration is damaged</source>
        <translation>su configuración está dañada</translation>
    </message>
    <message>
        <source>Close other programs, or choose the next smaller model: {}.</source>
        <translation>Cierra otros programas, o elige el siguiente modelo más pequeño: {}.</translation>
    </message>
    <message>
        <source>Close other programs and try again.</source>
        <translation>Cierra otros programas e inténtalo de nuevo.</translation>
    </message>
    <message>
        <source>it says {}</source>
        <translation>dice {}</translation>
    </message>
    <message>
        <source>it writes what it is given {} times</source>
        <translation>escribe {} veces lo que recibe</translation>
    </message>
    <message>
        <source>it writes more than {} characters</source>
        <translation>escribe más de {} caracteres</translation>
    </message>
    <message>
        <source>it fails</source>
        <translation>falla</translation>
    </message>
    <message>
        <source>its tokenizer is of no use: {}</source>
        <translation>su tokenizador no sirve: {}</translation>
    </message>
    <message>
        <source>its tokenizer breaks out of its bounds</source>
        <translation>su tokenizador se sale de sus límites</translation>
    </message>
    <message>
        <source>The model hub answered with the error {} when asked for {} of {}. Try again later.</source>
        <translation>La fuente de modelos respondió con el error {} al pedirle {} de {}. Inténtalo más tarde.</translation>
    </message>
    <message>
        <source>The file {} of {} is not the one that the hub announced, and was thrown away. Try again later.</source>
        <translation>El archivo {} de {} no es el que se anunció, y se desechó. Inténtalo más tarde.</translation>
    </message>
    <message>
        <source>There is no room for {}: it needs {} on the disk of {}, and {} are free. Free some space and try again.</source>
        <translation>No hay sitio para {}: necesita {} en el disco de {}, y hay {} libres. Libera algo de espacio e inténtalo de nuevo.</translation>
    </message>
    <message>
        <source>The connection broke off while {} was being downloaded. Try again: it goes on where it stopped.</source>
        <translation>La conexión se cortó mientras se descargaba {}. Inténtalo de nuevo: sigue donde se quedó.</translation>
    </message>
    <message>
        <source>The weights of the model {} in {} are missing or damaged. Install it again.</source>
        <translation>Los pesos del modelo {} en {} faltan o están dañados. Instálalo de nuevo.</translation>
    </message>
    <message>
        <source>the list of its weights names other files</source>
        <translation>la lista de sus pesos nombra otros archivos</translation>
    </message>
    <message>
        <source>some of its weights are missing</source>
        <translation>faltan algunos de sus pesos</translation>
    </message>
    <message>
        <source>its weights are there twice, such as in {}</source>
        <translation>sus pesos están repetidos, por ejemplo en {}</translation>
    </message>
    <message>
        <source>its weights are those of another network: {}</source>
        <translation>sus pesos son los de otra red: {}</translation>
    </message>
    <message>
        <source>the list of its weights is damaged</source>
        <translation>la lista de sus pesos está dañada</translation>
    </message>
    <message>
        <source>its weights in {} are not those of their list</source>
        <translation>sus pesos en {} no son los de su lista</translation>
    </message>
    <message>
        <source>its weight {} is of another size than its configuration says</source>
        <translation>su peso {} no tiene el tamaño que dice su configuración</translation>
    </message>
    <message>
        <source>its weights in {} are damaged</source>
        <translation>sus pesos en {} están dañados</translation>
    </message>
    <message>
        <source>its weights are stored as {}, and only {} can be used</source>
        <translation>sus pesos están guardados como {}, y solo se puede usar {}</translation>
    </message>
    <message>
        <source>{} is no address of a meeting point. Write it like https://hub.example.org or http://192.168.1.5:8765.</source>
        <translation>{} no es la dirección de un punto de encuentro. Escríbela como https://hub.example.org o http://192.168.1.5:8765.</translation>
    </message>
    <message>
        <source>Whoever answers there is no node.</source>
        <translation>Lo que responde allí no es ningún nodo.</translation>
    </message>
    <message>
        <source>No certificate can be made ({}). Free some space.</source>
        <translation>No se puede crear ningún certificado ({}). Libera algo de espacio.</translation>
    </message>
    <message>
        <source>Nobody answers at {}:{} ({}).</source>
        <translation>Nadie responde en {}:{} ({}).</translation>
    </message>
    <message>
        <source>Whoever answers there shows no certificate of a node.</source>
        <translation>Lo que responde allí no muestra el certificado de un nodo.</translation>
    </message>
    <message>
        <source>To start from the beginning, choose Start over… in the model&apos;s details under Models: a backup is kept. Without the window, move its folder of checkpoints away.</source>
        <translation>Para empezar desde el principio, elige «Empezar de nuevo…» en los detalles del modelo, en «Modelos»: se guarda una copia. Sin la ventana, aparta su carpeta de puntos de control.</translation>
    </message>
    <message>
        <source>start again; everything up to the last finished round is kept</source>
        <translation>empieza de nuevo; se conserva todo hasta la última ronda terminada</translation>
    </message>
    <message>
        <source>The disk that holds {} is full. Free some space and {}.</source>
        <translation>El disco que contiene {} está lleno. Libera algo de espacio y {}.</translation>
    </message>
    <message>
        <source>{}, {}</source>
        <translation>{}, {}</translation>
    </message>
    <message>
        <source>Trying out what is fastest on this computer</source>
        <translation>Probando qué es lo más rápido en este ordenador</translation>
    </message>
    <message>
        <source>Preparing a copy of the model for fast sampling</source>
        <translation>Preparando una copia del modelo para probar más rápido</translation>
    </message>
    <message>
        <source>llama.cpp is not installed here. Choose another sampler, or install llama-cpp-python.</source>
        <translation>llama.cpp no está instalado aquí. Elige otro sampler, o instala llama-cpp-python.</translation>
    </message>
    <message>
        <source>The file {} cannot be loaded by llama.cpp ({}). Delete it, and it is made again.</source>
        <translation>llama.cpp no puede cargar el archivo {} ({}). Bórralo, y se creará de nuevo.</translation>
    </message>
    <message>
        <source>The adapter {} cannot be used by llama.cpp ({}). Let it be written again.</source>
        <translation>llama.cpp no puede usar el adaptador {} ({}). Deja que se escriba otra vez.</translation>
    </message>
    <message>
        <source>The copy of the model {} for llama.cpp is one of another model. Delete it, and it is made again.</source>
        <translation>La copia del modelo {} para llama.cpp es de otro modelo. Bórrala, y se creará de nuevo.</translation>
    </message>
    <message>
        <source>runs on battery</source>
        <translation>funciona con batería</translation>
    </message>
    <message>
        <source>runs on mains, without a battery</source>
        <translation>funciona con corriente, sin batería</translation>
    </message>
    <message>
        <source>runs on mains, {} % full</source>
        <translation>funciona con corriente, {} % de carga</translation>
    </message>
    <message>
        <source>there is a battery, but the system does not tell whether it is in use</source>
        <translation>hay una batería, pero el sistema no dice si está en uso</translation>
    </message>
    <message>
        <source>runs on battery, {} % full</source>
        <translation>funciona con batería, {} % de carga</translation>
    </message>
    <message>
        <source>the processor has {} °C</source>
        <translation>el procesador está a {} °C</translation>
    </message>
    <message>
        <source>this computer does not tell how hot its processor is</source>
        <translation>este ordenador no dice cuán caliente está su procesador</translation>
    </message>
    <message>
        <source>no program of this desktop tells when it was last touched</source>
        <translation>ningún programa de este escritorio dice cuándo se tocó por última vez</translation>
    </message>
    <message>
        <source>the screen saver</source>
        <translation>el salvapantallas</translation>
    </message>
    <message>
        <source>untouched for {} s, says {}</source>
        <translation>sin tocar desde hace {} s, dice {}</translation>
    </message>
    <message>
        <source>others use {} % of the processor</source>
        <translation>otros usan el {} % del procesador</translation>
    </message>
    <message>
        <source>how busy the processor is will be known in a moment</source>
        <translation>lo ocupado que está el procesador se sabrá enseguida</translation>
    </message>
    <message>
        <source>moderate</source>
        <translation>moderada</translation>
    </message>
    <message>
        <source>heavy</source>
        <translation>fuerte</translation>
    </message>
    <message>
        <source>very heavy</source>
        <translation>muy fuerte</translation>
    </message>
    <message>
        <source>about to sleep</source>
        <translation>a punto de suspenderse</translation>
    </message>
    <message>
        <source>pressure by heat: {}</source>
        <translation>presión por calor: {}</translation>
    </message>
    <message>
        <source>macOS does not tell how hot the computer is</source>
        <translation>macOS no dice cuán caliente está el ordenador</translation>
    </message>
    <message>
        <source>untouched for {} s</source>
        <translation>sin tocar desde hace {} s</translation>
    </message>
    <message>
        <source>macOS does not tell when it was last touched</source>
        <translation>macOS no dice cuándo se tocó por última vez</translation>
    </message>
    <message>
        <source>{} programs run</source>
        <translation>{} programas en marcha</translation>
    </message>
    <message>
        <source>the system lists no programs</source>
        <translation>el sistema no enumera programas</translation>
    </message>
    <message>
        <source>cannot be read ({}: {})</source>
        <translation>no se puede leer ({}: {})</translation>
    </message>
    <message>
        <source>Check that this network lets UDP through, or add a meeting point.</source>
        <translation>Comprueba que esta red deje pasar UDP, o añade un punto de encuentro.</translation>
    </message>
    <message>
        <source>Looking for others over the internet could not start ({}). Add a meeting point instead, or install Waggle anew.</source>
        <translation>No se pudo empezar a buscar a otros por internet ({}). Añade un punto de encuentro, o instala Waggle de nuevo.</translation>
    </message>
    <message>
        <source>Finding others over the internet without a meeting point needs libtorrent, which is not installed. Install it, or add a meeting point.</source>
        <translation>Encontrar a otros por internet sin un punto de encuentro requiere libtorrent, que no está instalado. Instálalo, o añade un punto de encuentro.</translation>
    </message>
    <message>
        <source>Looking for others on the internet failed unexpectedly; it is tried again. If that goes on, add a meeting point.</source>
        <translation>La búsqueda de otros en internet falló sin esperarlo; se intenta de nuevo. Si continúa, añade un punto de encuentro.</translation>
    </message>
    <message>
        <source>No way to others is open: add a meeting point, or allow meeting others on this network.</source>
        <translation>No hay ningún camino abierto hacia otros: añade un punto de encuentro, o permite encontrar a otros en esta red.</translation>
    </message>
    <message>
        <source>This swarm practises decks that are not on this computer. See them first, and agree to them, on the page Swarm.</source>
        <translation>Este enjambre practica mazos que no están en este ordenador. Míralos antes en la página Enjambre y acéptalos.</translation>
    </message>
    <message>
        <source>The saved progress {} was written by another version of Waggle. Use that version.</source>
        <translation>El progreso guardado {} lo escribió otra versión de Waggle. Usa esa versión.</translation>
    </message>
    <message>
        <source>All checkpoints in {} are damaged.</source>
        <translation>Todos los puntos de control en {} están dañados.</translation>
    </message>
    <message>
        <source>The saved progress belongs to another version of the model {}.</source>
        <translation>El progreso guardado pertenece a otra versión del modelo {}.</translation>
    </message>
    <message>
        <source>macOS does not tell whether something fills the screen</source>
        <translation>macOS no dice si algo llena la pantalla</translation>
    </message>
    <message>
        <source>not installed; with the package libtorrent others are found through the BitTorrent network</source>
        <translation>no instalado; con el paquete libtorrent se encuentra a otros por la red BitTorrent</translation>
    </message>
    <message>
        <source>not installed; with the package redis a hub of yours can keep its rollouts in Redis</source>
        <translation>no instalado; con el paquete redis, un punto de encuentro tuyo puede guardar sus intentos en Redis</translation>
    </message>
    <message>
        <source>Windows does not tell when it was last touched</source>
        <translation>Windows no dice cuándo se tocó por última vez</translation>
    </message>
    <message>
        <source>a program fills the screen</source>
        <translation>un programa llena la pantalla</translation>
    </message>
    <message>
        <source>a game fills the screen</source>
        <translation>un juego llena la pantalla</translation>
    </message>
    <message>
        <source>a presentation is on</source>
        <translation>hay una presentación en marcha</translation>
    </message>
    <message>
        <source>nothing fills the screen</source>
        <translation>nada llena la pantalla</translation>
    </message>
    <message>
        <source>Windows does not tell whether something fills the screen</source>
        <translation>Windows no dice si algo llena la pantalla</translation>
    </message>
    <message>
        <source>this desktop does not tell whether something fills the screen</source>
        <translation>este escritorio no dice si algo llena la pantalla</translation>
    </message>
    <message>
        <source>The settings file {} cannot be read: {}. Mend that line, or delete the file to start with the defaults.</source>
        <translation>No se puede leer el archivo de ajustes {}: {}. Corrige esa línea, o borra el archivo para empezar con los valores por defecto.</translation>
    </message>
    <message>
        <source>Nobody in the BitTorrent network answers ({}).</source>
        <translation>Nadie responde en la red BitTorrent ({}).</translation>
    </message>
    <message>
        <source>Nobody in the BitTorrent network answers.</source>
        <translation>Nadie responde en la red BitTorrent.</translation>
    </message>
    <message>
        <source>{} cannot be read ({}). Install Waggle again.</source>
        <translation>No se puede leer {} ({}). Instala Waggle de nuevo.</translation>
    </message>
    <message>
        <source>This computer has only IPv6 addresses on its network, so it finds only others that have one too. If somebody is missing, switch on IPv4.</source>
        <translation>Este ordenador solo tiene direcciones IPv6 en su red, así que solo encuentra a otros que también tengan una. Si falta alguien, activa IPv4.</translation>
    </message>
    <message>
        <source>This computer was given no address on its network, so nobody can reach it. Connect to the network again, or switch on IPv4.</source>
        <translation>Este ordenador no recibió ninguna dirección en su red, así que nadie puede llegar a él. Conéctate de nuevo a la red, o activa IPv4.</translation>
    </message>
    <message>
        <source>This computer is on no local network. Join a Wi-Fi or plug in a cable to find others nearby.</source>
        <translation>Este ordenador no está en ninguna red local. Únete a una wifi o conecta un cable para encontrar a otros cercanos.</translation>
    </message>
    <message>
        <source>Nothing can be announced on {} ({}). Connect to the network again to find others nearby.</source>
        <translation>No se puede anunciar nada en {} ({}). Conéctate de nuevo a la red para encontrar a otros cercanos.</translation>
    </message>
    <message>
        <source>What this computer announces on {} is not heard, so others nearby may not find it. Allow Waggle and UDP port 5353 in the firewall, and the local network in the VPN.</source>
        <translation>Lo que este ordenador anuncia en {} no se oye, así que quizá otros cercanos no lo encuentren. Permite Waggle y el puerto UDP 5353 en el cortafuegos, y la red local en la VPN.</translation>
    </message>
    <message>
        <source>Allow UDP port 5353 in the firewall or sandbox that it runs in.</source>
        <translation>Permite el puerto UDP 5353 en el cortafuegos o en el entorno en que funciona.</translation>
    </message>
    <message>
        <source>Only a VPN ({}) is connected, and nobody nearby can be found through it. Join a Wi-Fi or plug in a cable, and let the VPN allow the local network.</source>
        <translation>Solo hay una VPN ({}) conectada, y por ella no se encuentra a nadie cercano. Únete a una wifi o conecta un cable, y haz que la VPN permita la red local.</translation>
    </message>
    <message>
        <source>The network at {} does not carry announcements (no multicast). Join another network to find others nearby.</source>
        <translation>La red en {} no transporta anuncios (sin multicast). Únete a otra red para encontrar a otros cercanos.</translation>
    </message>
    <message>
        <source>Only networks of containers or virtual machines ({}) are connected. Join a Wi-Fi or plug in a cable to find others nearby.</source>
        <translation>Solo hay conectadas redes de contenedores o máquinas virtuales ({}). Únete a una wifi o conecta un cable para encontrar a otros cercanos.</translation>
    </message>
    <message>
        <source>Another program keeps UDP port 5353 to itself, so others nearby cannot be found. End it, or let it share (Avahi: disallow-other-stacks=no).</source>
        <translation>Otro programa se queda con el puerto UDP 5353, así que no se puede encontrar a otros cercanos. Ciérralo, o haz que lo comparta (Avahi: disallow-other-stacks=no).</translation>
    </message>
    <message>
        <source>Allow it in System Settings, Privacy &amp; Security, Local Network.</source>
        <translation>Permítelo en Ajustes del Sistema, Privacidad y seguridad, Red local.</translation>
    </message>
    <message>
        <source>Allow it in Windows Security, Firewall &amp; network protection.</source>
        <translation>Permítelo en Seguridad de Windows, Firewall y protección de red.</translation>
    </message>
    <message>
        <source>Waggle is not allowed to look for others on the local network.</source>
        <translation>Waggle no tiene permiso para buscar a otros en la red local.</translation>
    </message>
    <message>
        <source>{} is no address of a node. Write it like 192.168.1.5:40123.</source>
        <translation>{} no es la dirección de un nodo. Escríbela como 192.168.1.5:40123.</translation>
    </message>
    <message>
        <source>Practising alone.</source>
        <translation>Practica solo.</translation>
    </message>
    <message>
        <source>Nobody else is here yet.</source>
        <translation>Aún no hay nadie más aquí.</translation>
    </message>
    <message>
        <source>llama.cpp does not know {}, which the model {} has. Save it as Whole model or as The learnt part only (adapter) instead; on the command line with --to merged or --to peft.</source>
        <translation>llama.cpp no conoce {}, que el modelo {} tiene. Guárdalo como «Modelo entero» o «Solo lo aprendido (adaptador)»; en la línea de órdenes, con --to merged o --to peft.</translation>
    </message>
    <message>
        <source>llama.cpp has no tokenizer like that of the model {}. Save it as Whole model or as The learnt part only (adapter) instead; on the command line with --to merged or --to peft.</source>
        <translation>llama.cpp no tiene un tokenizador como el del modelo {}. Guárdalo como «Modelo entero» o «Solo lo aprendido (adaptador)»; en la línea de órdenes, con --to merged o --to peft.</translation>
    </message>
    <message>
        <source>The proxy of your network asks for a name and a password. Put them into its address, as http://name:password@host:port: in the window under Settings, Meeting others, Proxy, and then start Waggle again; on the command line into HTTPS_PROXY.</source>
        <translation>El proxy de tu red pide un nombre y una contraseña. Ponlos en su dirección, como http://name:password@host:port: en la ventana, en «Ajustes», «Encontrar a otros», «Proxy», y luego reinicia Waggle; en la línea de órdenes, en HTTPS_PROXY.</translation>
    </message>
    <message>
        <source>It now solves about as much at the first try as it did before within eight tries: {} against {}.</source>
        <translation>Ahora resuelve al primer intento más o menos tanto como antes en ocho intentos: {} frente a {}.</translation>
    </message>
    <message>
        <source>It has not practised yet, so both are the same model.</source>
        <translation>Aún no ha practicado, así que ambos son el mismo modelo.</translation>
    </message>
    <message>
        <source>It has become worse: {} points, give or take {}.</source>
        <translation>Ha empeorado: {} puntos, más o menos {}.</translation>
    </message>
    <message>
        <source>Of the gain of {} points, {} are skill: right answers that were wrong before even when the form is forgiven; {} are form.</source>
        <translation>De la ganancia de {} puntos, {} son destreza: respuestas correctas que antes eran incorrectas aun perdonando la forma; {} son forma.</translation>
    </message>
    <message>
        <source>The gain of {} points, give or take {}, is skill: right answers that were wrong before even when the form is forgiven.</source>
        <translation>La ganancia de {} puntos, más o menos {}, es destreza: respuestas correctas que antes eran incorrectas aun perdonando la forma.</translation>
    </message>
    <message>
        <source>The gain of {} points, give or take {}, is form: it knew these answers before, and now writes them as asked.</source>
        <translation>La ganancia de {} puntos, más o menos {}, es forma: ya sabía estas respuestas, y ahora las escribe como se pide.</translation>
    </message>
    <message>
        <source>It now solves more at the first try than it did before within eight tries: {} against {}.</source>
        <translation>Ahora resuelve más al primer intento que antes en ocho intentos: {} frente a {}.</translation>
    </message>
    <message>
        <source>It does not yet solve as much at the first try as it did before within eight tries: {} against {}.</source>
        <translation>Al primer intento aún no resuelve tanto como antes en ocho intentos: {} frente a {}.</translation>
    </message>
    <message>
        <source>Of all kinds of puzzles at all levels, estimated from what was tried lately. A score is no payment: nothing here earns money.</source>
        <translation>De todos los tipos de acertijos en todos los niveles, estimado a partir de los últimos intentos. Una puntuación no es un pago: aquí no se gana dinero.</translation>
    </message>
    <message>
        <source>Others&apos; tries taught your model {} kinds of puzzles at levels that it never solved alone.</source>
        <translation>Los intentos de otros han enseñado a tu modelo {} tipos de acertijos en niveles que nunca había resuelto solo.</translation>
    </message>
    <message>
        <source>Others&apos; tries taught your model a kind of puzzle at a level that it never solved alone.</source>
        <translation>Los intentos de otros han enseñado a tu modelo un tipo de acertijos en un nivel que nunca había resuelto solo.</translation>
    </message>
    <message>
        <source>Getting to know your model.</source>
        <translation>Conociendo tu modelo.</translation>
    </message>
    <message>
        <source>Your model solves {} % of all puzzles.</source>
        <translation>Tu modelo resuelve el {} % de todos los acertijos.</translation>
    </message>
    <message>
        <source>At first it was {} %.</source>
        <translation>Al principio era el {} %.</translation>
    </message>
    <message>
        <source>This deck has more than {} bytes. Make two of it.</source>
        <translation>Este mazo tiene más de {} bytes. Haz dos con él.</translation>
    </message>
    <message>
        <source>This deck is not as Waggle writes decks. Make it anew from its table.</source>
        <translation>Este mazo no está escrito como los escribe Waggle. Hazlo de nuevo a partir de su tabla.</translation>
    </message>
    <message>
        <source>This deck has more than {} answers, labels and words of variables. Make two of it.</source>
        <translation>Este mazo tiene más de {} respuestas, opciones y palabras de variables. Haz dos con él.</translation>
    </message>
    <message>
        <source>This deck has no questions. Add at least one.</source>
        <translation>Este mazo no tiene preguntas. Añade al menos una.</translation>
    </message>
    <message>
        <source>This deck has no level {}. Number its levels 1, 2, 3, …</source>
        <translation>Este mazo no tiene nivel {}. Numera sus niveles 1, 2, 3, …</translation>
    </message>
    <message>
        <source>Row {}: {}</source>
        <translation>Fila {}: {}</translation>
    </message>
    <message>
        <source>The expressions up to here have more than {} numbers, names and signs. Make two decks.</source>
        <translation>Las expresiones hasta aquí tienen más de {} números, nombres y signos. Haz dos mazos.</translation>
    </message>
    <message>
        <source>This is no deck that this Waggle can read ({}). Ask for it again.</source>
        <translation>Esto no es un mazo que este Waggle pueda leer ({}). Pídelo de nuevo.</translation>
    </message>
    <message>
        <source>{} is not among the labels to choose from.</source>
        <translation>{} no está entre las opciones que se pueden elegir.</translation>
    </message>
    <message>
        <source>The expression {} is too long. Use at most {} characters.</source>
        <translation>La expresión {} es demasiado larga. Usa como mucho {} caracteres.</translation>
    </message>
    <message>
        <source>{} cannot be worked out. Use numbers, the variables, + - * / // % ** ( ), comparisons and {}.</source>
        <translation>{} no se puede calcular. Usa números, las variables, + - * / // % ** ( ), comparaciones y {}.</translation>
    </message>
    <message>
        <source>Each question needs an answer. Say which columns hold the two.</source>
        <translation>Cada pregunta necesita una respuesta. Di en qué columnas están las dos.</translation>
    </message>
    <message>
        <source>More than {} rows have variables. Make two decks.</source>
        <translation>Más de {} filas tienen variables. Haz dos mazos.</translation>
    </message>
    <message>
        <source>It is the same as row {}. Delete one.</source>
        <translation>Es igual que la fila {}. Borra una.</translation>
    </message>
    <message>
        <source>No values of its variables make a puzzle. Look at its condition and its answer.</source>
        <translation>Ningún valor de sus variables forma un acertijo. Revisa su condición y su respuesta.</translation>
    </message>
    <message>
        <source>Several decks are called {}. Name it by its digest: {}.</source>
        <translation>Varios mazos se llaman {}. Nómbralo por su resumen: {}.</translation>
    </message>
    <message>
        <source>The deck {} is not the one that it was. Add it again.</source>
        <translation>El mazo {} ya no es el que era. Añádelo de nuevo.</translation>
    </message>
    <message>
        <source>The deck {} cannot be read ({}).</source>
        <translation>No se puede leer el mazo {} ({}).</translation>
    </message>
    <message>
        <source>“{}” has several lines. Write it in one.</source>
        <translation>«{}» tiene varias líneas. Escríbelo en una.</translation>
    </message>
    <message>
        <source>There is white space around “{}”. Take it away.</source>
        <translation>Hay espacios alrededor de «{}». Quítalos.</translation>
    </message>
    <message>
        <source>There is a hidden letter, {}, in {}. Type that text again.</source>
        <translation>Hay una letra oculta, {}, en {}. Escribe de nuevo ese texto.</translation>
    </message>
    <message>
        <source>{} is no level. Write a whole number from 1 to {}.</source>
        <translation>{} no es un nivel. Escribe un número entero del 1 al {}.</translation>
    </message>
    <message>
        <source>It has more cells than the first row. Put quotation marks around a text that contains the separator.</source>
        <translation>Tiene más celdas que la primera fila. Pon entre comillas el texto que contenga el separador.</translation>
    </message>
    <message>
        <source>The question or the answer is missing. Write both.</source>
        <translation>Falta la pregunta o la respuesta. Escribe las dos.</translation>
    </message>
    <message>
        <source>It has a condition, but no variables. Write such, too.</source>
        <translation>Tiene una condición, pero no variables. Escribe también variables.</translation>
    </message>
    <message>
        <source>It has more than {} accepted answers or {} labels. Leave some out.</source>
        <translation>Tiene más de {} respuestas aceptadas o {} opciones. Deja fuera algunas.</translation>
    </message>
    <message>
        <source>Labels cannot stand in a row with variables. Leave one of both out.</source>
        <translation>Las opciones no pueden estar en una fila con variables. Deja fuera una de las dos cosas.</translation>
    </message>
    <message>
        <source>{} has more than {} characters. Shorten it.</source>
        <translation>{} tiene más de {} caracteres. Acórtalo.</translation>
    </message>
    <message>
        <source>A quotation mark in row {} is not closed, or stands within a cell. Write it twice where it is meant as one, and quotation marks around that cell.</source>
        <translation>Una comilla en la fila {} no se cierra, o está dentro de una celda. Escríbela doble donde quieras decir una comilla, y pon comillas alrededor de esa celda.</translation>
    </message>
    <message>
        <source>This table has more than {}. Make two of it.</source>
        <translation>Esta tabla tiene más de {}. Haz dos con ella.</translation>
    </message>
    <message>
        <source>This table has more than {} columns. Keep those with questions and answers.</source>
        <translation>Esta tabla tiene más de {} columnas. Conserva las de preguntas y respuestas.</translation>
    </message>
    <message>
        <source>There are no rows in this table. Write at least one.</source>
        <translation>En esta tabla no hay filas. Escribe al menos una.</translation>
    </message>
    <message>
        <source>This is neither text nor a workbook. Save the table as CSV or as .xlsx.</source>
        <translation>Esto no es ni texto ni un libro de cálculo. Guarda la tabla como CSV o como .xlsx.</translation>
    </message>
    <message>
        <source>{} bytes</source>
        <translation>{} octetos</translation>
    </message>
    <message>
        <source>This is an old workbook, or one with a password. Save it as .xlsx or as CSV, without a password.</source>
        <translation>Esto es un libro de cálculo antiguo, o uno con contraseña. Guárdalo como .xlsx o como CSV, sin contraseña.</translation>
    </message>
    <message>
        <source>{} rows</source>
        <translation>{} filas</translation>
    </message>
    <message>
        <source>{} characters</source>
        <translation>{} caracteres</translation>
    </message>
    <message>
        <source>This is no table in JSON ({}). Write a list of objects, or one in each line, with texts, numbers and lists of them.</source>
        <translation>Esto no es una tabla en JSON ({}). Escribe una lista de objetos, o uno en cada línea, con textos, números y listas de ellos.</translation>
    </message>
    <message>
        <source>{} has a brace without its partner, or more than {} blanks. Write {{ for a brace that is meant as one.</source>
        <translation>{} tiene una llave sin pareja, o más de {} huecos. Escribe {{ donde quieras decir una llave.</translation>
    </message>
    <message>
        <source>The variable {} has no value: its bounds are reversed.</source>
        <translation>La variable {} no tiene ningún valor: sus límites están al revés.</translation>
    </message>
    <message>
        <source>There is no variable. Write one like a = 2..12.</source>
        <translation>No hay ninguna variable. Escribe una como a = 2..12.</translation>
    </message>
    <message>
        <source>There are more than {} variables. Leave some out.</source>
        <translation>Hay más de {} variables. Deja fuera algunas.</translation>
    </message>
    <message>
        <source>The variable {} has no value. Write the smaller number first, and a step of 1 or more.</source>
        <translation>La variable {} no tiene ningún valor. Escribe primero el número menor, y un paso de 1 o más.</translation>
    </message>
    <message>
        <source>The numbers of {} cannot be read. Write them like 2..12 step 2.</source>
        <translation>No se pueden leer los números de {}. Escríbelos como 2..12 step 2.</translation>
    </message>
    <message>
        <source>The words of {} cannot be used. Write at most {} of them, each with 1 to {} characters, with / in between.</source>
        <translation>Las palabras de {} no se pueden usar. Escribe como mucho {}, cada una de 1 a {} caracteres, con / entre ellas.</translation>
    </message>
    <message>
        <source>“{}” is no variable. Write it like a = 2..12 or name = Anna / Ben, with a name of at most 16 small letters and digits.</source>
        <translation>«{}» no es una variable. Escríbela como a = 2..12 o name = Anna / Ben, con un nombre de como mucho 16 letras minúsculas y cifras.</translation>
    </message>
    <message>
        <source>There are two variables {}. Give one another name.</source>
        <translation>Hay dos variables {}. Dale otro nombre a una.</translation>
    </message>
    <message>
        <source>This is no workbook that Waggle can read. Open it in a spreadsheet program and save it as .xlsx or as CSV.</source>
        <translation>Esto no es un libro de cálculo que Waggle pueda leer. Ábrelo en un programa de hojas de cálculo y guárdalo como .xlsx o como CSV.</translation>
    </message>
    <message>
        <source>This workbook holds far more than a deck can. Copy the table alone into a new one, or save it as CSV.</source>
        <translation>Este libro de cálculo contiene mucho más de lo que cabe en un mazo. Copia solo la tabla en uno nuevo, o guárdala como CSV.</translation>
    </message>
    <message>
        <source>This workbook is protected by a password. Save it without one.</source>
        <translation>Este libro de cálculo está protegido con contraseña. Guárdalo sin ella.</translation>
    </message>
    <message>
        <source>Too few questions are held out for an exam: {}. Add some.</source>
        <translation>Hay demasiado pocas preguntas reservadas para un examen: {}. Añade algunas.</translation>
    </message>
    <message>
        <source>The saved progress was made with the recipe {}, which this Waggle does not know. Use the version that made it.</source>
        <translation>El progreso guardado se hizo con la receta {}, que este Waggle no conoce. Usa la versión que lo hizo.</translation>
    </message>
    <message>
        <source>{} and a copy of it for llama.cpp take {} of memory, and {} are free for it. Set sampler to auto or torch in {}.</source>
        <translation>{} y una copia suya para llama.cpp ocupan {} de memoria, y hay {} libres para ello. Pon sampler en auto o torch en {}.</translation>
    </message>
    <message>
        <source>The model&apos;s scores are no numbers any more: it has learnt something too wild for the precision it runs in.</source>
        <translation>Los valores del modelo ya no son números: ha aprendido algo demasiado salvaje para la precisión con que funciona.</translation>
    </message>
    <message>
        <source>{} is not here any more. What was learnt from it stays.</source>
        <translation>{} ya no está aquí. Lo aprendido con él se queda.</translation>
    </message>
    <message>
        <source>There are {} decks here already. Remove one first.</source>
        <translation>Ya hay {} mazos aquí. Quita primero uno.</translation>
    </message>
    <message>
        <source>There is no column {}. There are: {}.</source>
        <translation>No hay ninguna columna {}. Hay: {}.</translation>
    </message>
    <message>
        <source>{} solves {} of {} of these: choose a larger model, or add levels that are easier.</source>
        <translation>{} resuelve {} de {} de estas: elige un modelo más grande, o añade niveles más fáciles.</translation>
    </message>
    <message>
        <source>“{}” is no language. Write it like en or de-AT.</source>
        <translation>«{}» no es un idioma. Escríbelo como en o de-AT.</translation>
    </message>
    <message>
        <source>“{}” is no tolerance. Write it like 0.5.</source>
        <translation>«{}» no es una tolerancia. Escríbela como 0.5.</translation>
    </message>
    <message>
        <source>This deck has no name. Give it one.</source>
        <translation>Este mazo no tiene nombre. Dale uno.</translation>
    </message>
    <message>
        <source>Name, author and licence have at most {} letters each.</source>
        <translation>Nombre, autor y licencia tienen como máximo {} letras cada uno.</translation>
    </message>
    <message>
        <source>Saved: {}</source>
        <translation>Guardado: {}</translation>
    </message>
    <message>
        <source>Waggle was opened from its disk image or its download, where it cannot be found once the computer has started again. Drag it into Applications, open it there, and switch this on again.</source>
        <translation>Waggle se abrió desde su imagen de disco o su descarga, donde ya no se podrá encontrar cuando el ordenador vuelva a arrancar. Arrástralo a Aplicaciones, ábrelo allí y activa esto de nuevo.</translation>
    </message>
    <message>
        <source>The graphics card {} is not here, or PyTorch cannot use it. Choose another one under Settings, How much, or set device to auto.</source>
        <translation>La tarjeta gráfica {} no está, o PyTorch no puede usarla. Elige otra en Ajustes, Cuánto, o pon device en auto.</translation>
    </message>
    <message>
        <source>The memory of this computer, or of its graphics card, ran out while {} was being trained; what it learnt until the last round is safe. {}</source>
        <translation>La memoria de este ordenador, o la de su tarjeta gráfica, se agotó mientras se entrenaba {}; lo que aprendió hasta la última ronda está a salvo. {}</translation>
    </message>
    <message>
        <source>{0} needs about {1} of the graphics card&apos;s memory to be trained, and {2} are free there. {3} Or choose the processor as device under Settings, How much.</source>
        <translation>{0} necesita unos {1} de la memoria de la tarjeta gráfica para entrenarse, y allí hay {2} libres. {3} O elige el procesador en Ajustes, Cuánto.</translation>
    </message>
    <message>
        <source>Trying out which precision suits this computer</source>
        <translation>Probando qué precisión conviene a este ordenador</translation>
    </message>
    <message>
        <source>no driver tells who uses the graphics card</source>
        <translation>ningún controlador dice quién usa la tarjeta gráfica</translation>
    </message>
    <message>
        <source>others use {} % of the graphics card</source>
        <translation>otros usan el {} % de la tarjeta gráfica</translation>
    </message>
    <message>
        <source>how busy the card is will be known in a moment</source>
        <translation>en un momento se sabrá lo ocupada que está la tarjeta gráfica</translation>
    </message>
    <message>
        <source>{} was never tried; whether it counts right and how fast, tells: waggle bench gpu</source>
        <translation>{} nunca se ha probado; si calcula bien y con qué rapidez lo dice: waggle bench gpu</translation>
    </message>
    <message>
        <source>none that PyTorch can use; the processor trains all models</source>
        <translation>ninguna que PyTorch pueda usar; el procesador entrena todos los modelos</translation>
    </message>
    <message>
        <source>{}; what waggle bench gpu found is in {}</source>
        <translation>{}; lo que encontró waggle bench gpu está en {}</translation>
    </message>
    <message>
        <source>No row is left. Take at least one.</source>
        <translation>No queda ninguna fila. Toma al menos una.</translation>
    </message>
    <message>
        <source>No row can be used. Row {}: {}</source>
        <translation>No se puede usar ninguna fila. Fila {}: {}</translation>
    </message>
    <message>
        <source>A deck is not on this computer any more. Add it again.</source>
        <translation>Un mazo ya no está en este ordenador. Añádelo de nuevo.</translation>
    </message>
    <message>
        <source>Decks are handed on by meeting points, and none is named. Name one.</source>
        <translation>Los mazos se pasan por puntos de encuentro y no se ha indicado ninguno. Indica uno.</translation>
    </message>
    <message>
        <source>This invite names no meeting point, and decks are fetched from one. Ask whoever invited you for one that does.</source>
        <translation>Esta invitación no indica ningún punto de encuentro, y de uno se obtienen los mazos. Pide a quien te invitó una que lo indique.</translation>
    </message>
    <message>
        <source>How long a round of {} takes could not be measured. Close other programs, then try again.</source>
        <translation>No se pudo medir cuánto dura una ronda de {}. Cierra otros programas e inténtalo de nuevo.</translation>
    </message>
    <message>
        <source>No difference that chance could not make: {} points, give or take {}.</source>
        <translation>Ninguna diferencia que el azar no pueda causar: {} puntos, más o menos {}.</translation>
    </message>
    <message>
        <source>It has become better by {} points, give or take {}; whether by skill or by form, this exam cannot tell.</source>
        <translation>Ha mejorado {} puntos, más o menos {}; este examen no puede decir si por destreza o por forma.</translation>
    </message>
    <message>
        <source>More puzzles tell more.</source>
        <translation>Más acertijos dicen más.</translation>
    </message>
    <message>
        <source>Whether it now solves as much at the first try as it did before within eight tries, this exam cannot tell: {} against {}.</source>
        <translation>Este examen no puede decir si ahora resuelve al primer intento tanto como antes en ocho intentos: {} frente a {}.</translation>
    </message>
    <message>
        <source>Of the puzzles that are practised here, estimated from what was tried lately. A score is no payment: nothing here earns money.</source>
        <translation>De los acertijos que se practican aquí, estimado a partir de los últimos intentos. Una puntuación no es un pago: aquí no se gana dinero.</translation>
    </message>
    <message>
        <source>Your model solves {} % of what it practises.</source>
        <translation>Tu modelo resuelve el {} % de lo que practica.</translation>
    </message>
    <message>
        <source>There is no deck {} here. The page Practice (Puzzles) and waggle deck list show all.</source>
        <translation>Aquí no hay ningún mazo {}. La página Práctica (Acertijos) y waggle deck list los muestran todos.</translation>
    </message>
    <message>
        <source>Waggle cannot do that as it was asked. Shorten what you typed, or start Waggle anew.</source>
        <translation>Waggle no puede hacerlo tal como se pidió. Acorta lo que escribiste o vuelve a iniciar Waggle.</translation>
    </message>
    <message>
        <source>The model {} cannot be used now: {}. Try again later.</source>
        <translation>El modelo {} no se puede usar ahora: {}. Inténtalo más tarde.</translation>
    </message>
    <message>
        <source>Your access token does not open {}. Accept its terms on huggingface.co/{}, then try again.</source>
        <translation>Tu clave de acceso no abre {}. Acepta sus condiciones en huggingface.co/{} e inténtalo de nuevo.</translation>
    </message>
    <message>
        <source>a file {} of a sensible size</source>
        <translation>un archivo {} de un tamaño razonable</translation>
    </message>
    <message>
        <source>the size and hash of its file {}</source>
        <translation>el tamaño y el resumen de su archivo {}</translation>
    </message>
    <message>
        <source>the export</source>
        <translation>la exportación</translation>
    </message>
    <message>
        <source>Memory is short, so {} practises in smaller steps from now on: that takes longer and teaches the same. Close other programs to give it more.</source>
        <translation>La memoria escasea, así que {} practica en pasos más pequeños a partir de ahora: tarda más y enseña lo mismo. Cierra otros programas para darle más.</translation>
    </message>
    <message>
        <source>{0} needs about {1} of memory to be trained, and {2} are free for it. {3}</source>
        <translation>{0} necesita unos {1} de memoria para entrenarse, y hay {2} libres para ello. {3}</translation>
    </message>
    <message>
        <source>what came is no answer of a meeting point</source>
        <translation>lo que llegó no es la respuesta de un punto de encuentro</translation>
    </message>
    <message>
        <source>no answer in time</source>
        <translation>no respondió a tiempo</translation>
    </message>
    <message>
        <source>it cannot prove who it is</source>
        <translation>no puede demostrar quién es</translation>
    </message>
    <message>
        <source>its answer is an error, {}</source>
        <translation>su respuesta es un error, {}</translation>
    </message>
    <message>
        <source>{}{} is not on this computer yet. Download it on the page Models, or with: waggle models get {}</source>
        <translation>{}{} aún no está en este ordenador. Descárgalo en la página Modelos, o con: waggle models get {}</translation>
    </message>
    <message>
        <source>its description breaks a rule ({})</source>
        <translation>su descripción incumple una regla ({})</translation>
    </message>
    <message>
        <source>Hugging Face has nothing called {}, or it is private. Look its name up on huggingface.co.</source>
        <translation>En Hugging Face no hay nada llamado {}, o es privado. Busca su nombre en huggingface.co.</translation>
    </message>
    <message>
        <source>it lacks {}</source>
        <translation>le falta {}</translation>
    </message>
    <message>
        <source>The connection broke off while {} was being downloaded, and the model hub cannot go on where it stopped. Try again: it begins anew.</source>
        <translation>La conexión se cortó mientras se descargaba {}, y la fuente de modelos no puede seguir donde se quedó. Inténtalo de nuevo: empieza desde el principio.</translation>
    </message>
    <message>
        <source>no connection comes about</source>
        <translation>no se logra ninguna conexión</translation>
    </message>
    <message>
        <source>no encrypted connection comes about</source>
        <translation>no se logra ninguna conexión cifrada</translation>
    </message>
    <message>
        <source>it hung up without an answer</source>
        <translation>cortó sin responder</translation>
    </message>
    <message>
        <source>{} is a file, where Waggle needs a folder. Move it away, or choose another folder for Waggle.</source>
        <translation>{} es un archivo donde Waggle necesita una carpeta. Apártalo, o elige otra carpeta para Waggle.</translation>
    </message>
    <message>
        <source>llama.cpp is not installed. Set sampler to auto or torch in {}.</source>
        <translation>llama.cpp no está instalado. Pon sampler en auto o torch en {}.</translation>
    </message>
    <message>
        <source>llama.cpp cannot be used for the model {} on this computer; the log folder says more. Set sampler to auto or torch in {}.</source>
        <translation>En este ordenador no se puede usar llama.cpp con el modelo {}; la carpeta de registros dice más. Pon sampler en auto o torch en {}.</translation>
    </message>
    <message>
        <source>a copy of {} for llama.cpp</source>
        <translation>una copia de {} para llama.cpp</translation>
    </message>
    <message>
        <source>Waggle runs from its disk image or its download. Drag it into Applications and open it there, so that it can be updated and start with the computer.</source>
        <translation>Waggle se ejecuta desde su imagen de disco o desde las descargas. Arrástralo a Aplicaciones y ábrelo allí, para que pueda actualizarse e iniciarse con el ordenador.</translation>
    </message>
    <message>
        <source>{} gets {} % of its tries right, and solves {} of {} questions within {} tries: there is something to learn.</source>
        <translation>De sus intentos, {} acierta el {} %, y resuelve {} de {} preguntas en {} intentos: hay algo que aprender.</translation>
    </message>
    <message>
        <source>{} gets {} % of its tries right already: there is little left to learn. Add harder questions.</source>
        <translation>{} ya acierta el {} % de sus intentos: queda poco que aprender. Añade preguntas más difíciles.</translation>
    </message>
    <message>
        <source>{}, {}, is in use by another program. Close that one, then try again.</source>
        <translation>{}, {}, está en uso por otro programa. Ciérralo e inténtalo de nuevo.</translation>
    </message>
    <message>
        <source>What answers at {} is no meeting point. Check the address.</source>
        <translation>Lo que responde en {} no es un punto de encuentro. Comprueba la dirección.</translation>
    </message>
    <message>
        <source>None of the {} meeting points can be reached; practising alone and trying again.</source>
        <translation>No se puede llegar a ninguno de los {} puntos de encuentro; practica solo y lo sigue intentando.</translation>
    </message>
    <message>
        <source>This computer&apos;s clock is off by more than ten minutes, so others cannot use what it shares. Set the clock.</source>
        <translation>El reloj de este ordenador se desvía más de diez minutos, así que otros no pueden usar lo que comparte. Pon el reloj en hora.</translation>
    </message>
    <message>
        <source>The others here practise the puzzles of another release. Update Waggle to practise with them.</source>
        <translation>Los demás practican aquí los acertijos de otra versión. Actualiza Waggle para practicar con ellos.</translation>
    </message>
    <message>
        <source>Practising with {} others.</source>
        <translation>Practica con {} más.</translation>
    </message>
    <message>
        <source>This computer&apos;s clock is {} minutes fast; set it, or it is soon too far off.</source>
        <translation>El reloj de este ordenador va {} minutos adelantado; ponlo en hora, o pronto se desviará demasiado.</translation>
    </message>
    <message>
        <source>The meeting point at {} does not hand on what you share; it is left out for a while.</source>
        <translation>El punto de encuentro de {} no transmite lo que compartes; se deja de lado un tiempo.</translation>
    </message>
    <message>
        <source>Something else answers at {}, not the meeting point that the invite names. Nothing was sent there; ask for a new invite.</source>
        <translation>En {} responde otra cosa, no el punto de encuentro que nombra la invitación. No se envió nada allí; pide una invitación nueva.</translation>
    </message>
    <message>
        <source>What answers at {} is no meeting point. Check the address; practising alone meanwhile.</source>
        <translation>Lo que responde en {} no es un punto de encuentro. Comprueba la dirección; mientras tanto practica solo.</translation>
    </message>
    <message>
        <source>The meeting point at {} is of another release. Update Waggle; if it is up to date, the meeting point has to be. Practising alone meanwhile.</source>
        <translation>El punto de encuentro de {} es de otra versión. Actualiza Waggle; si ya está al día, hay que actualizar el punto de encuentro. Mientras tanto practica solo.</translation>
    </message>
    <message>
        <source>The meeting point at {} cannot be reached; practising alone and trying again.</source>
        <translation>No se puede llegar al punto de encuentro de {}; practica solo y lo sigue intentando.</translation>
    </message>
    <message>
        <source>Practising with 1 other.</source>
        <translation>Practica con 1 más.</translation>
    </message>
    <message>
        <source>This computer&apos;s clock is {} minutes slow; set it, or it is soon too far off.</source>
        <translation>El reloj de este ordenador va {} minutos atrasado; ponlo en hora, o pronto se desviará demasiado.</translation>
    </message>
    <message>
        <source>Practising alone and trying again.</source>
        <translation>Practica solo y lo sigue intentando.</translation>
    </message>
    <message>
        <source>waggle tasks lists those that there are.</source>
        <translation>waggle tasks muestra las que hay.</translation>
    </message>
    <message>
        <source>There is no task called {}. {}</source>
        <translation>No hay ninguna tarea llamada {}. {}</translation>
    </message>
    <message>
        <source>No kind of puzzle was chosen. Name at least one, or leave it out.</source>
        <translation>No se eligió ningún tipo de acertijo. Nombra al menos uno, o déjalo sin indicar.</translation>
    </message>
    <message>
        <source>Task {} has no level {}. Choose one from 1 to {}.</source>
        <translation>La tarea {} no tiene nivel {}. Elige uno de 1 a {}.</translation>
    </message>
    <message>
        <source>The list of puzzles {} cannot be read ({}). Install Waggle again.</source>
        <translation>No se puede leer la lista de acertijos {} ({}). Instala Waggle de nuevo.</translation>
    </message>
    <message>
        <source>No task was chosen. Name at least one, or leave the list out.</source>
        <translation>No se eligió ninguna tarea. Nombra al menos una, o deja la lista fuera.</translation>
    </message>
    <message>
        <source>no network</source>
        <translation>sin red</translation>
    </message>
    <message>
        <source>no access to files</source>
        <translation>sin acceso a archivos</translation>
    </message>
    <message>
        <source>cannot start programs</source>
        <translation>no puede iniciar programas</translation>
    </message>
    <message>
        <source>cannot multiply</source>
        <translation>no puede multiplicarse</translation>
    </message>
    <message>
        <source>cannot open anything new</source>
        <translation>no puede abrir nada nuevo</translation>
    </message>
    <message>
        <source>cannot write files</source>
        <translation>no puede escribir archivos</translation>
    </message>
    <message>
        <source>memory limit {} GB</source>
        <translation>memoria limitada a {} GB</translation>
    </message>
    <message>
        <source>processor time limit {} minutes</source>
        <translation>tiempo de procesador limitado a {} minutos</translation>
    </message>
    <message>
        <source>leaves no memory dumps</source>
        <translation>no deja volcados de memoria</translation>
    </message>
    <message>
        <source>ends with Waggle</source>
        <translation>termina con Waggle</translation>
    </message>
    <message>
        <source>{} ({})</source>
        <translation>{} ({})</translation>
    </message>
    <message>
        <source>not available on this system</source>
        <translation>no disponible en este sistema</translation>
    </message>
    <message>
        <source>{} of {} answers can never be right as {}. Choose another way to compare.</source>
        <translation>{} de {} respuestas nunca pueden ser correctas como {}. Elige otra forma de comparar.</translation>
    </message>
    <message>
        <source>The question “{}” stands there with different answers. Keep one of them, or accept all in one row.</source>
        <translation>La pregunta «{}» aparece con respuestas distintas. Conserva una, o acepta todas en una sola fila.</translation>
    </message>
    <message>
        <source>In {} of {} questions the answer stands in the question. If that is not meant, write them differently.</source>
        <translation>En {} de {} preguntas la respuesta está en la pregunta. Si no es a propósito, escríbelas de otra forma.</translation>
    </message>
    <message>
        <source>At level {}, an answer that a template makes can never be right as {}. Choose another way to compare, or a condition.</source>
        <translation>En el nivel {}, una respuesta que forma una plantilla nunca puede ser correcta como {}. Elige otra forma de comparar, o una condición.</translation>
    </message>
    <message>
        <source>At level {}, a template hardly ever finds values that it may ask for. Ease its condition.</source>
        <translation>En el nivel {}, una plantilla casi nunca encuentra valores por los que pueda preguntar. Suaviza su condición.</translation>
    </message>
    <message>
        <source>At level {}, always answering “{}” is right in {}. A model will learn that: add questions with other answers.</source>
        <translation>En el nivel {}, responder siempre «{}» es correcto en el {}. Un modelo aprenderá eso: añade preguntas con otras respuestas.</translation>
    </message>
    <message>
        <source>Level {} has only {} different questions: too few to tell learning from remembering. Add more.</source>
        <translation>El nivel {} tiene solo {} preguntas distintas: demasiado pocas para distinguir aprender de memorizar. Añade más.</translation>
    </message>
    <message>
        <source>At level {}, repeating the question is right: “{}”.</source>
        <translation>En el nivel {}, repetir la pregunta es correcto: «{}».</translation>
    </message>
    <message>
        <source>The judge of answers gets no temporary folder ({}). Free some space on the disk and start again.</source>
        <translation>El juez de respuestas no obtiene una carpeta temporal ({}). Libera algo de espacio en el disco y empieza de nuevo.</translation>
    </message>
    <message>
        <source>The judge of answers cannot be started ({}). Close other programs, or restart the computer.</source>
        <translation>No se puede iniciar el juez de respuestas ({}). Cierra otros programas, o reinicia el ordenador.</translation>
    </message>
    <message>
        <source>Task {} has no puzzle at level {} with seed {}. Choose another seed.</source>
        <translation>La tarea {} no tiene acertijo en el nivel {} con la semilla {}. Elige otra semilla.</translation>
    </message>
    <message>
        <source>Waggle&apos;s puzzles need reasoning-gym {}, but here is {}. Install it with: pip install &quot;reasoning-gym=={}&quot;</source>
        <translation>Los acertijos de Waggle necesitan reasoning-gym {}, pero aquí está {}. Instálalo con: pip install &quot;reasoning-gym=={}&quot;</translation>
    </message>
    <message>
        <source>The judge of answers cannot start ({}). Install Waggle again.</source>
        <translation>El juez de respuestas no puede empezar ({}). Instala Waggle de nuevo.</translation>
    </message>
    <message>
        <source>Puzzle {} of seed {} of task {}, level {}, cannot be made. Choose another task, and report this.</source>
        <translation>No se puede crear el acertijo {} de la semilla {} de la tarea {}, nivel {}. Elige otra tarea, y comunícalo.</translation>
    </message>
    <message>
        <source>The judge of answers was closed. Start Waggle again.</source>
        <translation>El juez de respuestas se cerró. Inicia Waggle de nuevo.</translation>
    </message>
    <message>
        <source>The judge of answers ended {} times without a word. Restart the computer; if that does not help, install Waggle again.</source>
        <translation>El juez de respuestas terminó {} veces sin decir nada. Reinicia el ordenador; si no ayuda, instala Waggle de nuevo.</translation>
    </message>
    <message>
        <source>the update</source>
        <translation>la actualización</translation>
    </message>
    <message>
        <source>{} is no longer offered. Look for updates again.</source>
        <translation>{} ya no se ofrece. Busca actualizaciones de nuevo.</translation>
    </message>
    <message>
        <source>The update source has not been renewed in time, so nobody vouches for it now; or the date of this computer is wrong. Nothing was changed; look again later.</source>
        <translation>La fuente de actualizaciones no se renovó a tiempo, así que ahora nadie responde por ella; o la fecha de este ordenador es incorrecta. No se cambió nada; mira de nuevo más tarde.</translation>
    </message>
    <message>
        <source>What came is not what the makers of Waggle signed, and was thrown away. Nothing was changed; look again later.</source>
        <translation>Lo que llegó no es lo que firmaron los autores de Waggle, y se desechó. No se cambió nada; mira de nuevo más tarde.</translation>
    </message>
    <message>
        <source>What the update source says is not signed by the makers of Waggle, or is older than what it said before. Nothing was changed; look again later.</source>
        <translation>Lo que dice la fuente de actualizaciones no está firmado por los autores de Waggle, o es más antiguo que lo que dijo antes. No se cambió nada; mira de nuevo más tarde.</translation>
    </message>
    <message>
        <source>The update source cannot be reached. Nothing was changed; look again later.</source>
        <translation>No se puede llegar a la fuente de actualizaciones. No se cambió nada; mira de nuevo más tarde.</translation>
    </message>
    <message>
        <source>What this Waggle knows about its update source is damaged. Install the newest release anew; everything that you have here stays.</source>
        <translation>Lo que este Waggle sabe de su fuente de actualizaciones está dañado. Instala de nuevo la versión más reciente; todo lo que tienes aquí se conserva.</translation>
    </message>
    <message>
        <source>{} is in the way: Waggle needs that name while it updates itself. Rename it, then try again.</source>
        <translation>{} estorba: Waggle necesita ese nombre mientras se actualiza. Cámbiale el nombre e inténtalo de nuevo.</translation>
    </message>
    <message>
        <source>The update is not packed as Waggle is. Nothing was changed; tell its makers.</source>
        <translation>La actualización no está empaquetada como Waggle. No se cambió nada; díselo a sus autores.</translation>
    </message>
    <message>
        <source>Waggle {} could not be tried out just now. Try again later.</source>
        <translation>Ahora mismo no se ha podido probar Waggle {}. Inténtalo de nuevo más tarde.</translation>
    </message>
    <message>
        <source>Waggle {} does not run on this computer, so it was thrown away. The one that you have stays.</source>
        <translation>Waggle {} no funciona en este ordenador, así que se desechó. El que tienes se queda.</translation>
    </message>
    <message>
        <source>The update was not unpacked: {}. Nothing was changed; tell the makers of Waggle.</source>
        <translation>La actualización no se desempaquetó: {}. No se cambió nada; díselo a los autores de Waggle.</translation>
    </message>
    <message>
        <source>it holds a name that leads out</source>
        <translation>contiene un nombre que lleva fuera</translation>
    </message>
    <message>
        <source>it is larger than a Waggle may be</source>
        <translation>es mayor de lo que puede ser un Waggle</translation>
    </message>
    <message>
        <source>it names {} twice</source>
        <translation>nombra {} dos veces</translation>
    </message>
    <message>
        <source>it holds a name that is none</source>
        <translation>contiene un nombre que no lo es</translation>
    </message>
    <message>
        <source>it is damaged</source>
        <translation>está dañada</translation>
    </message>
    <message>
        <source>{} is neither file nor folder</source>
        <translation>{} no es ni archivo ni carpeta</translation>
    </message>
    <message>
        <source>{} is no folder</source>
        <translation>{} no es una carpeta</translation>
    </message>
    <message>
        <source>the link {} leads out</source>
        <translation>el enlace {} lleva fuera</translation>
    </message>
    <message>
        <source>Waggle does not update itself here. Update it as you installed it.</source>
        <translation>Waggle no se actualiza solo aquí. Actualízalo como lo instalaste.</translation>
    </message>
    <message>
        <source>Waggle {} is the newest. There is nothing to do.</source>
        <translation>Waggle {} es el más reciente. No hay nada que hacer.</translation>
    </message>
    <message>
        <source>The identity of this node, {}, is damaged. Put a backup in its place, or delete it to start as somebody new.</source>
        <translation>La identidad de este nodo, {}, está dañada. Pon una copia en su lugar, o bórrala para empezar como alguien nuevo.</translation>
    </message>
    <message>
        <source>This invite was cut or mistyped. Copy all of it, from waggle:// to the end.</source>
        <translation>Esta invitación se cortó o se copió mal. Cópiala entera, desde waggle:// hasta el final.</translation>
    </message>
    <message>
        <source>The invite is too long for a link. Name fewer meeting points.</source>
        <translation>La invitación es demasiado larga para un enlace. Nombra menos puntos de encuentro.</translation>
    </message>
    <message>
        <source>This is no invite. One begins with {}; copy all of it.</source>
        <translation>Eso no es una invitación. Una empieza por {}; cópiala entera.</translation>
    </message>
    <message>
        <source>This makes no invite ({}). Choose another name or address.</source>
        <translation>De esto no sale ninguna invitación ({}). Elige otro nombre u otra dirección.</translation>
    </message>
    <message>
        <source>This invite cannot be read by this release. Update Waggle, or ask for a new one.</source>
        <translation>Esta versión no puede leer esta invitación. Actualiza Waggle, o pide una nueva.</translation>
    </message>
    <message>
        <source>{} is no name of a swarm. Use up to 40 small letters, digits and hyphens, such as meadow, or an invite that begins with {}.</source>
        <translation>{} no es el nombre de un enjambre. Usa hasta 40 letras minúsculas, cifras y guiones, como en meadow, o una invitación que empiece por {}.</translation>
    </message>
    <message>
        <source>Something did not work.</source>
        <translation>Algo no funcionó.</translation>
    </message>
    <message>
        <source>That cannot be done this way.</source>
        <translation>Así no se puede hacer.</translation>
    </message>
    <message>
        <source>The deck cannot be used like this.</source>
        <translation>El mazo no se puede usar así.</translation>
    </message>
    <message>
        <source>There is no such model.</source>
        <translation>No existe ese modelo.</translation>
    </message>
    <message>
        <source>There is no such puzzle.</source>
        <translation>No existe ese acertijo.</translation>
    </message>
    <message>
        <source>The settings cannot be read.</source>
        <translation>No se pueden leer los ajustes.</translation>
    </message>
    <message>
        <source>A file or folder cannot be used.</source>
        <translation>No se puede usar un archivo o una carpeta.</translation>
    </message>
    <message>
        <source>Waggle is at work on that right now.</source>
        <translation>Waggle está trabajando en ello ahora mismo.</translation>
    </message>
    <message>
        <source>The disk is full.</source>
        <translation>El disco está lleno.</translation>
    </message>
    <message>
        <source>The model cannot be used as it is.</source>
        <translation>El modelo no se puede usar tal como está.</translation>
    </message>
    <message>
        <source>It took too long; try again when less is going on.</source>
        <translation>Tardó demasiado; inténtalo de nuevo cuando haya menos actividad.</translation>
    </message>
    <message>
        <source>There is too little memory.</source>
        <translation>Hay muy poca memoria.</translation>
    </message>
    <message>
        <source>What was learnt cannot be read.</source>
        <translation>No se puede leer lo aprendido.</translation>
    </message>
    <message>
        <source>The puzzles installed here are other ones.</source>
        <translation>Los acertijos instalados aquí son otros.</translation>
    </message>
    <message>
        <source>Answers cannot be checked.</source>
        <translation>No se pueden comprobar las respuestas.</translation>
    </message>
    <message>
        <source>A puzzle cannot be made.</source>
        <translation>No se puede crear un acertijo.</translation>
    </message>
    <message>
        <source>Something was sent that breaks the rules.</source>
        <translation>Llegó algo que incumple las reglas.</translation>
    </message>
    <message>
        <source>An experiment cannot go on.</source>
        <translation>Un experimento no puede continuar.</translation>
    </message>
    <message>
        <source>The newer release cannot be had.</source>
        <translation>No se puede obtener la versión más nueva.</translation>
    </message>
    <message>
        <source>The swarm or the network does not play along.</source>
        <translation>El enjambre o la red no responde como debe.</translation>
    </message>
    <message>
        <source>The list of models {} is empty. Install Waggle again.</source>
        <translation>La lista de modelos {} está vacía. Instala Waggle de nuevo.</translation>
    </message>
    <message>
        <source>What {} sent is not the deck of this swarm. Name another meeting point.</source>
        <translation>Lo que envió {} no es el mazo de este enjambre. Nombra otro punto de encuentro.</translation>
    </message>
    <message>
        <source>The meeting point {} is of another release, which keeps no decks. Ask whoever runs it to update Waggle, or name another one.</source>
        <translation>El punto de encuentro {} es de otra versión, que no guarda mazos. Pide a quien lo mantiene que actualice Waggle, o nombra otro.</translation>
    </message>
    <message>
        <source>The meeting point {} would not serve ({}). Ask whoever runs it, or name another one.</source>
        <translation>El punto de encuentro {} se negó ({}). Pregunta a quien lo mantiene, o nombra otro.</translation>
    </message>
    <message>
        <source>Nobody keeps a deck of this swarm any more. Ask whoever invited you to start Waggle once, then try again.</source>
        <translation>Ya nadie guarda un mazo de este enjambre. Pide a quien te invitó que inicie Waggle una vez, e inténtalo de nuevo.</translation>
    </message>
    <message>
        <source>The meeting point {} does not have this deck.</source>
        <translation>El punto de encuentro {} no tiene este mazo.</translation>
    </message>
    <message>
        <source>The meeting point {} keeps no more decks for this swarm. Use fewer or smaller ones, or another meeting point.</source>
        <translation>El punto de encuentro {} no guarda más mazos para este enjambre. Usa menos o más pequeños, u otro punto de encuentro.</translation>
    </message>
    <message>
        <source>The meeting point {} takes no deck of this size. Whoever runs it has to let requests of {} MB through.</source>
        <translation>El punto de encuentro {} no acepta un mazo de este tamaño. Quien lo mantiene tiene que dejar pasar peticiones de {} MB.</translation>
    </message>
    <message>
        <source>The meeting point {} is busy. Try again in some minutes.</source>
        <translation>El punto de encuentro {} está ocupado. Inténtalo de nuevo en unos minutos.</translation>
    </message>
    <message>
        <source>The meeting point {} does not answer. Check its address and this computer&apos;s connection, or try again later.</source>
        <translation>El punto de encuentro {} no responde. Comprueba su dirección y la conexión de este ordenador, o inténtalo más tarde.</translation>
    </message>
    <message>
        <source>An invite names at most {} decks. Leave some out.</source>
        <translation>Una invitación nombra como mucho {} mazos. Deja fuera algunos.</translation>
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
    <name>DeckCard</name>
    <message>
        <source>Practise {}</source>
        <translation>Practicar {}</translation>
    </message>
    <message>
        <source>Practise only this</source>
        <translation>Practicar solo esto</translation>
    </message>
    <message>
        <source>Share with others…</source>
        <translation>Compartir con otros…</translation>
    </message>
    <message>
        <source>Look at ten questions</source>
        <translation>Ver diez preguntas</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>Quitar…</translation>
    </message>
    <message>
        <source>Leave it</source>
        <translation>Dejarlo</translation>
    </message>
    <message>
        <source>Save to a file…</source>
        <translation>Guardar en un archivo…</translation>
    </message>
    <message>
        <source>Hide the questions</source>
        <translation>Ocultar las preguntas</translation>
    </message>
    <message>
        <source>Remove “{}” from this computer? What was learnt from it stays.</source>
        <translation>¿Quitar «{}» de este ordenador? Lo que se aprendió con él se queda.</translation>
    </message>
    <message>
        <source>Yes, remove it</source>
        <translation>Sí, quitarlo</translation>
    </message>
</context>
<context>
    <name>DeckFields</name>
    <message>
        <source>Author</source>
        <translation>Autoría</translation>
    </message>
    <message>
        <source>Name of the deck</source>
        <translation>Nombre del mazo</translation>
    </message>
    <message>
        <source>Language, such as en or de-AT</source>
        <translation>Idioma, como en o de-AT</translation>
    </message>
    <message>
        <source>Licence, such as CC0-1.0</source>
        <translation>Licencia, como CC0-1.0</translation>
    </message>
    <message>
        <source>How answers are compared</source>
        <translation>Cómo se comparan las respuestas</translation>
    </message>
    <message>
        <source>How far off a decimal may be</source>
        <translation>Cuánto puede desviarse un decimal</translation>
    </message>
    <message>
        <source>The first row names the columns</source>
        <translation>La primera fila nombra las columnas</translation>
    </message>
    <message>
        <source>none</source>
        <translation>ninguna</translation>
    </message>
    <message>
        <source>Column {}</source>
        <translation>Columna {}</translation>
    </message>
    <message>
        <source>Which column is which</source>
        <translation>Qué contiene cada columna</translation>
    </message>
    <message>
        <source>About the deck</source>
        <translation>Sobre el mazo</translation>
    </message>
</context>
<context>
    <name>DeckForm</name>
    <message>
        <source>Puzzles of your own</source>
        <translation>Acertijos propios</translation>
    </message>
    <message>
        <source>Choose another file…</source>
        <translation>Elegir otro archivo…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Mirar de nuevo</translation>
    </message>
    <message>
        <source>Worth knowing</source>
        <translation>Conviene saber</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Guardar</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Descartar</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Leyendo…</translation>
    </message>
    <message>
        <source>Looking at it again…</source>
        <translation>Mirándolo de nuevo…</translation>
    </message>
    <message>
        <source>Keeping it…</source>
        <translation>Guardándolo…</translation>
    </message>
    <message>
        <source>That was ended; nothing was kept.</source>
        <translation>Se interrumpió; no se guardó nada.</translation>
    </message>
    <message>
        <source>The file is being read</source>
        <translation>Se está leyendo el archivo</translation>
    </message>
</context>
<context>
    <name>DeckRowsModel</name>
    <message>
        <source>Row</source>
        <translation>Fila</translation>
    </message>
    <message>
        <source>What is wrong</source>
        <translation>Qué falla</translation>
    </message>
</context>
<context>
    <name>DeckRowsTable</name>
    <message>
        <source>Rows of the table</source>
        <translation>Filas de la tabla</translation>
    </message>
</context>
<context>
    <name>DeckTrialBox</name>
    <message>
        <source>How does my model do?</source>
        <translation>¿Cómo le va a mi modelo?</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>How far the trial is</source>
        <translation>Cuánto lleva la prueba</translation>
    </message>
    <message>
        <source>Waking the model up…</source>
        <translation>Despertando al modelo…</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Deteniendo…</translation>
    </message>
    <message>
        <source>Trying questions: {} to go…</source>
        <translation>Probando preguntas: faltan {}…</translation>
    </message>
    <message>
        <source>The trial was ended.</source>
        <translation>La prueba se interrumpió.</translation>
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
    <name>EnergyCard</name>
    <message>
        <source>Electricity</source>
        <translation>Electricidad</translation>
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
        <source>Stopping…</source>
        <translation>Deteniendo…</translation>
    </message>
    <message>
        <source>The exam is over. Choose this model to see it.</source>
        <translation>El examen ha terminado. Elige este modelo para verlo.</translation>
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
        <source>Kind by kind</source>
        <translation>Tipo por tipo</translation>
    </message>
    <message>
        <source>A single kind proves little.</source>
        <translation>Un solo tipo prueba poco.</translation>
    </message>
    <message>
        <source>What came of the last exam will stand here: what practice has brought, kind by kind, and how sure that is.</source>
        <translation>Aquí estará lo que resultó del último examen: lo que ha traído la práctica, tipo por tipo, y con qué seguridad.</translation>
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
        <source>Short: {} puzzles</source>
        <translation>Corto: {} acertijos</translation>
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
        <source>The exam asks puzzles of what is practised, at every level, that were kept out of practice: the same for everyone, and of a small deck all there are. Each is asked eight times: first of the model as it is now, then as it was before any practice. Practice may go on meanwhile.</source>
        <translation>El examen plantea acertijos de lo que se practica, de todos los niveles, que quedaron fuera de la práctica: los mismos para todos, y de un mazo pequeño todos los que hay. Cada uno se plantea ocho veces: primero al modelo como es ahora, luego como era antes de practicar. Mientras tanto la práctica puede seguir.</translation>
    </message>
    <message>
        <source>Exam</source>
        <translation>Examen</translation>
    </message>
</context>
<context>
    <name>ExportCard</name>
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
        <source>Key figures and your made-up name, nothing else. It leaves this computer only if you send it.</source>
        <translation>Cifras clave y tu nombre inventado, nada más. Solo sale de este ordenador si la envías.</translation>
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
        <translation>{} cientos de millones</translation>
    </message>
    <message>
        <source>{} ten thousand</source>
        <comment>said in Chinese only</comment>
        <translation>{} decenas de miles</translation>
    </message>
    <message>
        <source>1 billion</source>
        <translation>mil millones</translation>
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
        <source>1 million</source>
        <translation>1 millón</translation>
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
        <source>This node&apos;s identity</source>
        <translation>La identidad de este nodo</translation>
    </message>
    <message>
        <source>The record of rounds</source>
        <translation>El registro de rondas</translation>
    </message>
    <message>
        <source>Trying puzzles</source>
        <translation>Intentar acertijos</translation>
    </message>
    <message>
        <source>Graphics card</source>
        <translation>Tarjeta gráfica</translation>
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
        <source>Swarm</source>
        <translation>Enjambre</translation>
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
        <source>How busy the graphics card is</source>
        <translation>Lo ocupada que está la tarjeta gráfica</translation>
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
        <source>Practise what is built in instead</source>
        <translation>Practicar lo incorporado en su lugar</translation>
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
        <source>Puzzles of your own are handed on by a meeting point. Name one here, or open one on this computer: see “Host a meeting point” on this page.</source>
        <translation>Los acertijos propios se pasan por un punto de encuentro. Indica uno aquí o abre uno en este ordenador: mira «Ofrecer un punto de encuentro» en esta página.</translation>
    </message>
    <message>
        <source>Join it now, too</source>
        <translation>Unirme también ahora</translation>
    </message>
    <message>
        <source>Make the invite</source>
        <translation>Crear la invitación</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Give it a name first, such as our-class.</source>
        <translation>Ponle primero un nombre, como our-class.</translation>
    </message>
    <message>
        <source>An invite names up to {} meeting points.</source>
        <translation>Una invitación nombra como mucho {} puntos de encuentro.</translation>
    </message>
    <message>
        <source>No meeting point has so long an address. Look what was pasted there.</source>
        <translation>Ningún punto de encuentro tiene una dirección tan larga. Mira qué se ha pegado ahí.</translation>
    </message>
    <message>
        <source>Name a meeting point first.</source>
        <translation>Indica antes un punto de encuentro.</translation>
    </message>
    <message>
        <source>Leaving the puzzles at meeting point {number} of {all}…</source>
        <translation>Dejando los acertijos en el punto de encuentro {number} de {all}…</translation>
    </message>
    <message>
        <source>That was ended; there is no invite.</source>
        <translation>Se ha cancelado; no hay invitación.</translation>
    </message>
    <message>
        <source>It practises “{}” and nothing else.</source>
        <translation>Practica «{}» y nada más.</translation>
    </message>
    <message>
        <source>How far the puzzles are on their way</source>
        <translation>Cuánto han avanzado los acertijos</translation>
    </message>
</context>
<context>
    <name>HelperClient</name>
    <message>
        <source>The helper of this window gave an answer that makes no sense. Try again.</source>
        <translation>El ayudante de esta ventana dio una respuesta sin sentido. Inténtalo de nuevo.</translation>
    </message>
    <message>
        <source>The helper of this window ended before it was done. Try again.</source>
        <translation>El ayudante de esta ventana terminó antes de acabar. Inténtalo de nuevo.</translation>
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
        <source>Last practised: {}.</source>
        <translation>Última práctica: {}.</translation>
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
        <source>Practice stopped before its round was finished: {}. Everything up to the last finished round is safe.</source>
        <translation>La práctica se detuvo antes de terminar la ronda: {}. Todo hasta la última ronda terminada está a salvo.</translation>
    </message>
    <message>
        <source>The curve begins as soon as it is known what your model can do.</source>
        <translation>La curva empieza en cuanto se sabe lo que puede tu modelo.</translation>
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
        <source>There is a newer Waggle: {}.</source>
        <translation>Ya hay un Waggle más nuevo: {}.</translation>
    </message>
    <message>
        <source>Looking up how {} did…</source>
        <translation>Mirando cómo le ha ido a {}…</translation>
    </message>
    <message>
        <source>Practice was interrupted: {reason}. Starting again in {seconds}&#xa0;s.</source>
        <translation>La práctica se interrumpió: {reason}. Nuevo inicio en {seconds}&#xa0;s.</translation>
    </message>
    <message>
        <source>Practice stopped by itself several times in a row: {}. Everything up to the last finished round is safe.</source>
        <translation>La práctica se detuvo sola varias veces seguidas: {}. Todo hasta la última ronda terminada está a salvo.</translation>
    </message>
    <message>
        <source>{} has not got better for {} rounds, and practises level {} only. With automatic levels it goes on to harder puzzles.</source>
        <translation>{} no ha mejorado en {} rondas y solo practica el nivel {}. Con niveles automáticos pasa a acertijos más difíciles.</translation>
    </message>
    <message>
        <source>{} has not got better for {} rounds, and practises level {} only. With automatic levels it begins where it can learn.</source>
        <translation>{} no ha mejorado en {} rondas y practica solo el nivel {}. Con niveles automáticos empieza donde puede aprender.</translation>
    </message>
    <message>
        <source>Open Settings</source>
        <translation>Abrir los ajustes</translation>
    </message>
    <message>
        <source>{} solves nearly all of these puzzles. Under Practice, Puzzles you can choose others or bring your own.</source>
        <translation>{} resuelve casi todos estos acertijos. En Práctica, Acertijos puedes elegir otros o traer los tuyos.</translation>
    </message>
    <message>
        <source>Open Practice</source>
        <translation>Abrir Práctica</translation>
    </message>
    <message>
        <source>{} has not got better for {} rounds. Other puzzles may have more to teach: under Practice, Puzzles you can choose some or bring your own.</source>
        <translation>{} no ha mejorado en {} rondas. Otros acertijos quizá tengan más que enseñarle: en Práctica, Acertijos puedes elegir algunos o traer los tuyos.</translation>
    </message>
    <message>
        <source>{} has not got better for {} rounds: it may have learnt what a model of its size can. A larger one has room for more.</source>
        <translation>{} no ha mejorado en {} rondas: quizá ya aprendió lo que puede un modelo de su tamaño. Uno más grande tiene lugar para más.</translation>
    </message>
    <message>
        <source>So may practising together with others.</source>
        <translation>También puede ayudar practicar junto con otros.</translation>
    </message>
    <message>
        <source>See the models</source>
        <translation>Ver los modelos</translation>
    </message>
    <message>
        <source>{} has not got better for {} rounds, and no larger model fits this computer. Practising together with others may help.</source>
        <translation>{} no ha mejorado en {} rondas y ningún modelo más grande cabe en este ordenador. Practicar junto con otros puede ayudar.</translation>
    </message>
    <message>
        <source>Open Swarm</source>
        <translation>Abrir Enjambre</translation>
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
        <source>{} (average {})</source>
        <translation>{} (media {})</translation>
    </message>
</context>
<context>
    <name>HomePage</name>
    <message>
        <source>Open Updates</source>
        <translation>Abrir Actualizaciones</translation>
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
    <name>InlineQuestion</name>
    <message>
        <source>Leave it</source>
        <translation>Dejarlo</translation>
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
    <message>
        <source>See its puzzles</source>
        <translation>Ver sus acertijos</translation>
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
        <source>Models that were downloaded</source>
        <translation>Modelos descargados</translation>
    </message>
    <message>
        <source>What your models learnt</source>
        <translation>Lo que aprendieron tus modelos</translation>
    </message>
    <message>
        <source>Puzzles of your own</source>
        <translation>Acertijos propios</translation>
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
        <source>Everything else</source>
        <translation>Todo lo demás</translation>
    </message>
    <message>
        <source>{size} in all</source>
        <translation>{size} en total</translation>
    </message>
</context>
<context>
    <name>KindGrid</name>
    <message>
        <source>Built in</source>
        <translation>Incluidos</translation>
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
    <name>LosingDialog</name>
    <message>
        <source>Close Waggle?</source>
        <translation>¿Cerrar Waggle?</translation>
    </message>
    <message>
        <source>Close all the same</source>
        <translation>Cerrar de todos modos</translation>
    </message>
    <message>
        <source>Let it end first</source>
        <translation>Dejar que termine antes</translation>
    </message>
    <message>
        <source>An exam or an export is under way, and would have to begin anew. Rounds of practice are safe either way.</source>
        <translation>Hay un examen o una exportación en curso, y tendría que empezar de nuevo. Las rondas practicadas están a salvo en cualquier caso.</translation>
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
        <source>One that is open.</source>
        <translation>Uno abierto a todos.</translation>
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
    <message>
        <source>Here a round takes {}.</source>
        <translation>Aquí una ronda dura {}.</translation>
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
        <source>How long a round will take here</source>
        <translation>Cuánto durará aquí una ronda</translation>
    </message>
    <message>
        <source>Measured with random numbers in its place, in a minute or two. Once it practises, its rounds tell.</source>
        <translation>Se mide con números aleatorios en su lugar, en uno o dos minutos. Cuando practique, lo dirán sus rondas.</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Medir</translation>
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
        <source>Delete…</source>
        <translation>Borrar…</translation>
    </message>
    <message>
        <source>Delete the backup of {when} ({size})? What it had learnt by then is gone for good. Its rounds still count as your contribution.</source>
        <translation>¿Borrar la copia de {when} ({size})? Lo que había aprendido hasta entonces se pierde para siempre. Sus rondas siguen contando como tu contribución.</translation>
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
        <source>a round takes {}</source>
        <translation>una ronda dura {}</translation>
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
        <source>Choose anyway</source>
        <translation>Elegir igualmente</translation>
    </message>
    <message>
        <source>It seems to need more memory than there is. The computer may become slow, and practice may end when the memory runs out; what it learnt until its last round is safe. Choose it all the same?</source>
        <translation>Parece necesitar más memoria de la que hay. El ordenador puede ir lento, y la práctica puede terminar cuando la memoria se acabe; lo aprendido hasta su última ronda está a salvo. ¿Elegirlo igualmente?</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>Elegir</translation>
    </message>
    <message>
        <source>Finishing the round…</source>
        <translation>Terminando la ronda…</translation>
    </message>
    <message>
        <source>Change over now</source>
        <translation>Cambiar ahora</translation>
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
        <source>Pause would keep it.</source>
        <translation>Pausar lo conservaría.</translation>
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
        <source>The token is kept where this computer keeps passwords. Only Hugging Face is shown it.</source>
        <translation>El token ya está guardado donde este ordenador guarda las contraseñas. Solo se le muestra a Hugging Face.</translation>
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
        <source>The backup is deleted; {} are free again.</source>
        <translation>La copia está borrada; {} vuelven a estar libres.</translation>
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
        <source>Measuring how long a round will take…</source>
        <translation>Midiendo cuánto durará una ronda…</translation>
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
        <source>{} parameters</source>
        <translation>{} de parámetros</translation>
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
        <source>about a second</source>
        <translation>alrededor de un segundo</translation>
    </message>
    <message>
        <source>about {} seconds</source>
        <translation>unos {} segundos</translation>
    </message>
    <message>
        <source>about {} minutes</source>
        <translation>unos {} minutos</translation>
    </message>
    <message>
        <source>about {} hours</source>
        <translation>unas {} horas</translation>
    </message>
    <message>
        <source>Needs about {need} of memory, the graphics card has {have} free.</source>
        <translation>Necesita unos {need} de memoria; la tarjeta gráfica tiene {have} libres.</translation>
    </message>
    <message>
        <source>Needs about {need} of memory, this computer has {have} free for it.</source>
        <translation>Necesita unos {need} de memoria; este ordenador tiene {have} libres para ello.</translation>
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
        <translation>Elige qué entrena este ordenador. Los grandes saben y necesitan más.</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelos</translation>
    </message>
</context>
<context>
    <name>Moments</name>
    <message>
        <source>d MMM yyyy</source>
        <comment>a date, in the letters of QLocale</comment>
        <translation>d MMM yyyy</translation>
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
    <name>NoticeBar</name>
    <message>
        <source>Saved: {}</source>
        <translation>Guardado: {}</translation>
    </message>
    <message>
        <source>Show the folder</source>
        <translation>Mostrar la carpeta</translation>
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
    <name>OfferView</name>
    <message>
        <source>Puzzles that come with the invite</source>
        <translation>Acertijos que vienen con la invitación</translation>
    </message>
    <message>
        <source>Practise these</source>
        <translation>Practicar estos</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Intentar de nuevo</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Ahora no</translation>
    </message>
    <message>
        <source>Asking where its members meet…</source>
        <translation>Preguntando donde se encuentran sus miembros…</translation>
    </message>
    <message>
        <source>Fetching deck {number} of {all}…</source>
        <translation>Obteniendo el mazo {number} de {all}…</translation>
    </message>
    <message>
        <source>Keeping them…</source>
        <translation>Guardándolos…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>How far the puzzles are on their way</source>
        <translation>Cuánto han avanzado los acertijos</translation>
    </message>
</context>
<context>
    <name>OnlyBar</name>
    <message>
        <source>Show all puzzles</source>
        <translation>Mostrar todos los acertijos</translation>
    </message>
    <message>
        <source>Only: {}</source>
        <translation>Solo: {}</translation>
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
        <source>See its puzzles</source>
        <translation>Ver sus acertijos</translation>
    </message>
    <message>
        <source>Invite others</source>
        <translation>Invitar a otros</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>The puzzles of this swarm are not on this computer, so practice cannot begin.</source>
        <translation>Los acertijos de este enjambre no están en este ordenador, así que no se puede empezar a practicar.</translation>
    </message>
    <message>
        <source>Finishing the round…</source>
        <translation>Terminando la ronda…</translation>
    </message>
    <message>
        <source>Leaving the puzzles where others meet…</source>
        <translation>Dejando los acertijos en los puntos de encuentro…</translation>
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
    <name>Phrases</name>
    <message>
        <source>{}, {}</source>
        <comment>between the parts of a series</comment>
        <translation>{}, {}</translation>
    </message>
    <message>
        <source>Finish or stop practising first.</source>
        <translation>Primero termina o detén la práctica.</translation>
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
        <source>Lines: 0 to {}</source>
        <translation>Líneas: de 0 a {}</translation>
    </message>
    <message>
        <source>{puzzles} puzzles that it never practised, after {rounds}; {when}. Kinds: {kinds}, levels of them: {levels}.</source>
        <translation>{puzzles} acertijos que nunca practicó, tras {rounds}; {when}. Tipos: {kinds}, niveles de ellos: {levels}.</translation>
    </message>
    <message>
        <source>Solved at the first try</source>
        <translation>Resueltos al primer intento</translation>
    </message>
    <message>
        <source>The same if the form is forgiven</source>
        <translation>Lo mismo si se perdona la forma</translation>
    </message>
    <message>
        <source>Solved within eight tries</source>
        <translation>Resueltos en ocho intentos</translation>
    </message>
    <message>
        <source>{before} ± {before_margin} → {now} ± {now_margin}</source>
        <translation>{before} ± {before_margin} → {now} ± {now_margin}</translation>
    </message>
    <message>
        <source>It has not practised yet, so both are the same model.</source>
        <translation>Aún no ha practicado, así que ambos son el mismo modelo.</translation>
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
        <source>None of this kind and level has passed by yet. A round asks only a few of all, so it may take a while.</source>
        <translation>Aún no ha pasado ninguno de este tipo y nivel. Cada ronda plantea solo unos pocos, así que puede tardar.</translation>
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
    <message>
        <source>Question</source>
        <translation>Pregunta</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Respuesta</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Nivel</translation>
    </message>
    <message>
        <source>Choices</source>
        <translation>Opciones</translation>
    </message>
    <message>
        <source>How one gets there</source>
        <translation>Cómo se llega</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>Variables</translation>
    </message>
    <message>
        <source>Condition</source>
        <translation>Condición</translation>
    </message>
    <message>
        <source>Rows that become questions: {good} of {total}.</source>
        <translation>Filas que se convierten en preguntas: {good} de {total}.</translation>
    </message>
    <message>
        <source>Letter for letter</source>
        <translation>Letra por letra</translation>
    </message>
    <message>
        <source>Capitals do not matter</source>
        <translation>Las mayúsculas no importan</translation>
    </message>
    <message>
        <source>Whole numbers</source>
        <translation>Números enteros</translation>
    </message>
    <message>
        <source>Decimal numbers</source>
        <translation>Números decimales</translation>
    </message>
    <message>
        <source>Fractions</source>
        <translation>Fracciones</translation>
    </message>
    <message>
        <source>One of the choices</source>
        <translation>Una de las opciones</translation>
    </message>
    <message>
        <source>Words in any order</source>
        <translation>Palabras en cualquier orden</translation>
    </message>
    <message>
        <source>(Rows: {})</source>
        <translation>(Filas: {})</translation>
    </message>
    <message>
        <source>Left out for what is wrong with them: {}.</source>
        <translation>Omitidas por lo que falla en ellas: {}.</translation>
    </message>
    <message>
        <source>Shown are the first rows, and bad ones among the rest: {} in all.</source>
        <translation>Se muestran las primeras filas y, de las demás, las que fallan: {} en total.</translation>
    </message>
    <message>
        <source>To be mended first</source>
        <translation>Hay que corregirlo antes</translation>
    </message>
    <message>
        <source>level {level}: {share}</source>
        <translation>nivel {level}: {share}</translation>
    </message>
    <message>
        <source>solved now</source>
        <translation>resuelto ahora</translation>
    </message>
    <message>
        <source>left edge: before practice</source>
        <translation>borde izquierdo: antes de practicar</translation>
    </message>
    <message>
        <source>the swarm solves more</source>
        <translation>el enjambre resuelve más</translation>
    </message>
    <message>
        <source>not practised at present</source>
        <translation>no se practica por ahora</translation>
    </message>
    <message>
        <source>never tried</source>
        <translation>nunca intentado</translation>
    </message>
    <message>
        <source>What can {} do?</source>
        <translation>¿Qué sabe hacer {}?</translation>
    </message>
    <message>
        <source>What is practised</source>
        <translation>Qué se practica</translation>
    </message>
    <message>
        <source>Looking it up…</source>
        <translation>Consultando…</translation>
    </message>
    <message>
        <source>What you choose counts from the next start of practice.</source>
        <translation>Lo que elijas vale desde el próximo inicio de la práctica.</translation>
    </message>
    <message>
        <source>Your swarm, “{}”, practises puzzles of its own. You choose again once you are in another.</source>
        <translation>Tu enjambre, «{}», practica acertijos propios. Volverás a elegir cuando estés en otro.</translation>
    </message>
    <message>
        <source>Puzzles of your swarm are not on this computer, so practice cannot begin. See them first on the page Swarm.</source>
        <translation>Hay acertijos de tu enjambre que no están en este ordenador, así que no se puede empezar a practicar. Míralos antes en la página Enjambre.</translation>
    </message>
    <message>
        <source>A deck that is to be practised is not on this computer any more, so practice cannot begin. Add it again, or leave it out.</source>
        <translation>Un mazo que debe practicarse ya no está en este ordenador, así que la práctica no puede empezar. Añádelo de nuevo, o déjalo fuera.</translation>
    </message>
    <message>
        <source>The puzzles of your swarm are practised: {}</source>
        <translation>Se practican los acertijos de tu enjambre: {}</translation>
    </message>
    <message>
        <source>All {} built-in kinds are practised</source>
        <translation>Se practican los {} tipos incluidos</translation>
    </message>
    <message>
        <source>Built-in kinds that are practised: {some} of {all}</source>
        <translation>Tipos incluidos que se practican: {some} de {all}</translation>
    </message>
    <message>
        <source>Only “{}” is practised</source>
        <translation>Solo se practica «{}»</translation>
    </message>
    <message>
        <source>Practised: decks of your own: {decks}, built-in kinds: {kinds}</source>
        <translation>Se practican: mazos propios: {decks}, tipos incluidos: {kinds}</translation>
    </message>
    <message>
        <source>Questions: {}</source>
        <translation>Preguntas: {}</translation>
    </message>
    <message>
        <source>Templates, each of which makes many: {}</source>
        <translation>Plantillas, de cada una de las cuales salen muchas: {}</translation>
    </message>
    <message>
        <source>Levels: {}</source>
        <translation>Niveles: {}</translation>
    </message>
    <message>
        <source>{} solved</source>
        <translation>{} resueltos</translation>
    </message>
    <message>
        <source>Nothing is known of it yet. Join on Home: what it solves appears here, kind by kind and level by level.</source>
        <translation>Aún no se sabe nada. Únete en Inicio: lo que resuelve aparece aquí, tipo por tipo y nivel por nivel.</translation>
    </message>
    <message>
        <source>What {} solves so far</source>
        <translation>Lo que {} resuelve hasta ahora</translation>
    </message>
    <message>
        <source>{model} solves {now} of all puzzles</source>
        <translation>{model} resuelve el {now} de todos los acertijos</translation>
    </message>
    <message>
        <source>The swarm {swarm}</source>
        <translation>El enjambre {swarm}</translation>
    </message>
    <message>
        <source>{model} solves {now} of what it practises</source>
        <translation>{model} resuelve el {now} de lo que practica</translation>
    </message>
    <message>
        <source>Before practice {base}, the swarm {swarm}</source>
        <translation>Antes de practicar {base}, el enjambre {swarm}</translation>
    </message>
    <message>
        <source>Before practice {base}</source>
        <translation>Antes de practicar {base}</translation>
    </message>
    <message>
        <source>{kinds} kinds of puzzles at {cells} levels. Solved more often than not: {solved}, after {rounds}.</source>
        <translation>{kinds} tipos de acertijos en {cells} niveles. Resueltos la mayoría de las veces: {solved}, tras {rounds}.</translation>
    </message>
    <message>
        <source>Levels: {cells}. Solved more often than not: {solved}, after {rounds}.</source>
        <translation>Niveles: {cells}. Resueltos la mayoría de las veces: {solved}, tras {rounds}.</translation>
    </message>
    <message>
        <source>{kind}, level {level}</source>
        <translation>{kind}, nivel {level}</translation>
    </message>
    <message>
        <source>Never tried so far.</source>
        <translation>Nunca se ha intentado.</translation>
    </message>
    <message>
        <source>Your model solves {}.</source>
        <translation>Tu modelo resuelve {}.</translation>
    </message>
    <message>
        <source>Before practice: {}.</source>
        <translation>Antes de practicar: {}.</translation>
    </message>
    <message>
        <source>The swarm: {}.</source>
        <translation>El enjambre: {}.</translation>
    </message>
    <message>
        <source>Not practised at present.</source>
        <translation>No se practica por ahora.</translation>
    </message>
    <message>
        <source>Small models that practise together, on many computers</source>
        <translation>Modelos pequeños que practican juntos, en muchos ordenadores</translation>
    </message>
</context>
<context>
    <name>PracticePage</name>
    <message>
        <source>Live</source>
        <translation>En directo</translation>
    </message>
    <message>
        <source>Skills</source>
        <translation>Habilidades</translation>
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
        <source>Puzzles</source>
        <translation>Acertijos</translation>
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
        <translation>Waggle permite que este ordenador entrene un pequeño modelo de lenguaje. Practica acertijos con respuestas conocidas, conserva lo que funciona e intercambia ideas con los modelos de otros: el enjambre.</translation>
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
        <translation>las respuestas de tu modelo, como texto</translation>
    </message>
    <message>
        <source>how many puzzles it solved last, and whose tries it learnt from</source>
        <translation>cuántos acertijos resolvió la última vez, y de los intentos de quién aprendió</translation>
    </message>
    <message>
        <source>the kind of model, and a made-up name and number that stay the same</source>
        <translation>el tipo de modelo, y un nombre y un número inventados que no cambian</translation>
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
    <name>Processes</name>
    <message>
        <source>the system ended it, perhaps because memory ran out</source>
        <translation>el sistema lo terminó, quizá porque se acabó la memoria</translation>
    </message>
    <message>
        <source>it crashed</source>
        <translation>se cerró de golpe</translation>
    </message>
    <message>
        <source>it ended with an error</source>
        <translation>terminó con un error</translation>
    </message>
    <message>
        <source>it ended too early</source>
        <translation>terminó demasiado pronto</translation>
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
        <source>There is no room for more than {}: remove one first.</source>
        <translation>No caben más de {}: quita antes uno.</translation>
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
        <source>Block {}</source>
        <translation>Bloquear a {}</translation>
    </message>
    <message>
        <source>Nothing of {} is shown or learnt from any more</source>
        <translation>De {} ya no se muestra ni se aprende nada</translation>
    </message>
</context>
<context>
    <name>PuzzleList</name>
    <message>
        <source>What is practised</source>
        <translation>Qué se practica</translation>
    </message>
    <message>
        <source>Add your own…</source>
        <translation>Añadir propios…</translation>
    </message>
    <message>
        <source>All built-in kinds</source>
        <translation>Todos los tipos incluidos</translation>
    </message>
    <message>
        <source>Puzzles of your own become a deck: a table with a question and an answer in each row is enough. Drop such a file here, or press the button above.</source>
        <translation>Los acertijos propios forman un mazo: basta una tabla con una pregunta y una respuesta en cada fila. Suelta aquí un archivo así, o pulsa el botón de arriba.</translation>
    </message>
    <message>
        <source>“{}” is kept. It is practised once you switch it on.</source>
        <translation>«{}» está guardado. Se practica en cuanto lo actives.</translation>
    </message>
    <message>
        <source>Practise only this</source>
        <translation>Practicar solo esto</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Intentar de nuevo</translation>
    </message>
    <message>
        <source>Leave it out</source>
        <translation>Dejarlo fuera</translation>
    </message>
    <message>
        <source>Open Swarm</source>
        <translation>Abrir Enjambre</translation>
    </message>
    <message>
        <source>Deck (*.deck)</source>
        <translation>Mazo (*.deck)</translation>
    </message>
    <message>
        <source>Save the deck</source>
        <translation>Guardar el mazo</translation>
    </message>
    <message>
        <source>Something has to be practised. Switch another kind on first.</source>
        <translation>Algo hay que practicar. Activa antes otro tipo.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
</context>
<context>
    <name>PuzzlesView</name>
    <message>
        <source>A table with questions and answers</source>
        <translation>Una tabla con preguntas y respuestas</translation>
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
        <source>Removing…</source>
        <translation>Quitando…</translation>
    </message>
</context>
<context>
    <name>RemoveEverythingDialog</name>
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
        <source>Your identity, what your models learnt, downloaded models, puzzles of your own, rounds, scores and settings are deleted from this computer, and with them any access token for Hugging Face and the start with the computer. Nothing of it can be brought back; what others have of your model&apos;s answers stays with them for a while.</source>
        <translation>Tu identidad, lo que aprendieron tus modelos, los modelos descargados, los acertijos propios, las rondas, las puntuaciones y los ajustes se borran de este ordenador, y con ellos cualquier token de acceso de Hugging Face y el inicio con el ordenador. Nada de ello se puede recuperar; lo que otros tienen de las respuestas de tu modelo se queda con ellos un tiempo.</translation>
    </message>
    <message>
        <source>To keep who you are, a model or puzzles of your own, back them up, export them or save them to a file before.</source>
        <translation>Para conservar quién eres, un modelo o acertijos propios, haz antes una copia, expórtalos o guárdalos en un archivo.</translation>
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
    <name>RequestStatus</name>
    <message>
        <source>One moment: something else is not done yet.</source>
        <translation>Un momento: otra cosa aún no ha terminado.</translation>
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
        <source>Resting</source>
        <translation>Descansando</translation>
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
        <source>about {}&#xa0;s left</source>
        <translation>quedan unos {}&#xa0;s</translation>
    </message>
    <message>
        <source>about {} min left</source>
        <translation>quedan unos {} min</translation>
    </message>
</context>
<context>
    <name>RunControls</name>
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
        <translation>«Detener» descarta la ronda en marcha. «Terminar la ronda y parar» la conserva.</translation>
    </message>
    <message>
        <source>Your contribution</source>
        <translation>Tu contribución</translation>
    </message>
</context>
<context>
    <name>SampleList</name>
    <message>
        <source>Level {}</source>
        <translation>Nivel {}</translation>
    </message>
    <message>
        <source>Answer: {}</source>
        <translation>Respuesta: {}</translation>
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
    <message>
        <source>Rounds practised</source>
        <translation>Rondas practicadas</translation>
    </message>
    <message>
        <source>Time of day</source>
        <translation>Hora del día</translation>
    </message>
    <message>
        <source>Round {} is shown.</source>
        <translation>Se muestra la ronda {}.</translation>
    </message>
    <message>
        <source>Rounds {} to {} are shown.</source>
        <translation>Se muestran las rondas {} a {}.</translation>
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
        <source>Updates</source>
        <translation>Actualizaciones</translation>
    </message>
    <message>
        <source>About</source>
        <translation>Acerca de</translation>
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
        <source>Preview: {}</source>
        <translation>Vista previa: {}</translation>
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
        <source>It is on this computer already, so it can begin at once.</source>
        <translation>Ya está en este ordenador y puede empezar enseguida.</translation>
    </message>
    <message>
        <source>It is downloaded when you begin. Until it is here and you switch to it, the model that you have goes on.</source>
        <translation>Se descarga cuando empiezas. Hasta que esté aquí y cambies a él, sigue el modelo que tienes.</translation>
    </message>
</context>
<context>
    <name>Sizes</name>
    <message>
        <source>{size} to download</source>
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
        <source>made of {} numbers</source>
        <translation>hecho de {} de números</translation>
    </message>
    <message>
        <source>works offline</source>
        <translation>funciona sin conexión</translation>
    </message>
</context>
<context>
    <name>SkillMap</name>
    <message>
        <source>Kinds of puzzles and their levels</source>
        <translation>Tipos de acertijos y sus niveles</translation>
    </message>
</context>
<context>
    <name>SkillsView</name>
    <message>
        <source>Open Home</source>
        <translation>Abrir Inicio</translation>
    </message>
    <message>
        <source>Make a picture…</source>
        <translation>Hacer una imagen…</translation>
    </message>
    <message>
        <source>Skills</source>
        <translation>Habilidades</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Intentar de nuevo</translation>
    </message>
    <message>
        <source>What the model solves, nothing else. It leaves this computer only if you send it.</source>
        <translation>Lo que resuelve el modelo y nada más. Solo sale de este ordenador si tú la envías.</translation>
    </message>
</context>
<context>
    <name>SnoozeButton</name>
    <message>
        <source>Pause for a while</source>
        <translation>Pausar un rato</translation>
    </message>
</context>
<context>
    <name>Snoozes</name>
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
    <name>SteadyButton</name>
    <message>
        <source>Cannot be pressed right now.</source>
        <translation>Ahora mismo no se puede pulsar.</translation>
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
        <source>Its members practise puzzles of their own and nothing else. Decks: {}.</source>
        <translation>Sus miembros practican acertijos propios y nada más. Mazos: {}.</translation>
    </message>
    <message>
        <source>Others get the puzzles from the other meeting points; this one gets them while you practise in this swarm.</source>
        <translation>Los demás obtienen los acertijos de los otros puntos de encuentro; este los recibe mientras practicas en este enjambre.</translation>
    </message>
    <message>
        <source>Agree only if you trust whoever gave you this invite. Connect?</source>
        <translation>Acepta solo si confías en quien te dio esta invitación. ¿Conectar?</translation>
    </message>
    <message>
        <source>This invite wants Waggle to connect to {}, which is this computer itself.</source>
        <translation>Esta invitación quiere que Waggle se conecte a {}, que es este mismo ordenador.</translation>
    </message>
    <message>
        <source>This invite wants Waggle to connect to {}, an address inside your own network.</source>
        <translation>Esta invitación quiere que Waggle se conecte a {}, una dirección dentro de tu propia red.</translation>
    </message>
    <message>
        <source>This invite wants Waggle to connect to {}, a single page of a server: opening it may set something off there.</source>
        <translation>Esta invitación quiere que Waggle se conecte a {}, una página concreta de un servidor: abrirla puede desencadenar algo allí.</translation>
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
        <source>Here others meet who cannot reach each other: it hands on what they share, and trains nothing. It keeps answers for ten minutes, and puzzles of others (1 GB at most) for up to 30 days. Open until you switch it off or quit Waggle.</source>
        <translation>Aquí se encuentran quienes no se alcanzan entre sí: transmite lo que comparten y no entrena nada. Guarda respuestas diez minutos, y acertijos de otros (1 GB como mucho) hasta 30 días. Está abierto hasta que lo apagues o salgas de Waggle.</translation>
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
        <source>Nothing practises right now.</source>
        <translation>Ahora no practica nada.</translation>
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
        <source>Nobody has been met yet. Others appear with the first tries that they share.</source>
        <translation>Aún no se encontró a nadie. Otros aparecen con los primeros intentos que comparten.</translation>
    </message>
    <message>
        <source>Others appear here once practice runs: press Join swarm on the page Home.</source>
        <translation>Otros aparecen aquí cuando se practica: pulsa Unirse al enjambre en la página Inicio.</translation>
    </message>
    <message>
        <source>Asked from the next start of practice on.</source>
        <translation>Se le pregunta a partir del próximo inicio de la práctica.</translation>
    </message>
    <message>
        <source>None is named. Others on your own network are met without one; for those elsewhere, add one, paste an invite, or open a meeting point yourself.</source>
        <translation>No hay ninguno. A otros de tu red se les encuentra sin él; para los de otros lugares, añade uno, pega una invitación o abre tú un punto de encuentro.</translation>
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
        <source>1 of its {} tries taught your model something.</source>
        <translation>1 de sus {} intentos enseñó algo a tu modelo.</translation>
    </message>
    <message>
        <source>{taught} of its {tries} tries taught your model something.</source>
        <translation>{taught} de sus {tries} intentos enseñaron algo a tu modelo.</translation>
    </message>
    <message>
        <source>Its one try taught your model something.</source>
        <translation>Su único intento enseñó algo a tu modelo.</translation>
    </message>
    <message>
        <source>Its one try has taught your model nothing yet.</source>
        <translation>Su único intento aún no ha enseñado nada a tu modelo.</translation>
    </message>
    <message>
        <source>Answers; {} tries of others came from there.</source>
        <translation>Responde; de ahí llegaron {} intentos de otros.</translation>
    </message>
    <message>
        <source>Not asked yet.</source>
        <translation>Aún no preguntado.</translation>
    </message>
    <message>
        <source>Somebody else answers there; nothing is sent to them.</source>
        <translation>Ahí responde otro; no se le envía nada.</translation>
    </message>
    <message>
        <source>What answers there is no meeting point.</source>
        <translation>Lo que responde ahí no es un punto de encuentro.</translation>
    </message>
    <message>
        <source>Left out for a while, since it broke the rules.</source>
        <translation>Apartado un tiempo, por romper las reglas.</translation>
    </message>
    <message>
        <source>Answers; 1 try of another came from there.</source>
        <translation>Responde; de ahí llegó 1 intento de otro.</translation>
    </message>
    <message>
        <source>Does not answer; it is tried again.</source>
        <translation>No responde; se vuelve a intentar.</translation>
    </message>
    <message>
        <source>Has not answered since {}; it is tried again.</source>
        <translation>No responde desde {}; se vuelve a intentar.</translation>
    </message>
    <message>
        <source>What “{}” practises</source>
        <translation>Qué practica «{}»</translation>
    </message>
    <message>
        <source>Your model would learn from these puzzles, which others made, and from nothing else. Look at them first: nothing is kept before you agree.</source>
        <translation>Tu modelo aprendería de estos acertijos, hechos por otros, y de nada más. Míralos antes: no se guarda nada hasta que aceptes.</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>Autoría</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Licencia</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Idioma</translation>
    </message>
    <message>
        <source>not said</source>
        <translation>no se indica</translation>
    </message>
    <message>
        <source>This cannot be practised, because of what has to be mended first: {}. Ask whoever invited you.</source>
        <translation>Esto no se puede practicar porque antes hay que corregir algo: {}. Pregunta a quien te invitó.</translation>
    </message>
</context>
<context>
    <name>SwarmPage</name>
    <message>
        <source>That was ended; there is no invite.</source>
        <translation>Se ha cancelado; no hay invitación.</translation>
    </message>
</context>
<context>
    <name>TimeStep</name>
    <message>
        <source>It makes way for you: you should not notice it. Before it pauses, it finishes the few puzzles that it is at, and loses nothing.</source>
        <translation>Te deja paso: no deberías notarlo. Antes de pausarse termina los pocos acertijos en los que está, y no pierde nada.</translation>
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
        <source>At any hour</source>
        <translation>A cualquier hora</translation>
    </message>
    <message>
        <source>At night</source>
        <translation>De noche</translation>
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
</context>
<context>
    <name>TroubleNotice</name>
    <message>
        <source>Try again</source>
        <translation>Intentar de nuevo</translation>
    </message>
    <message>
        <source>Open the log folder</source>
        <translation>Abrir los registros</translation>
    </message>
    <message>
        <source>Make a support file…</source>
        <translation>Crear un archivo de ayuda…</translation>
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
        <source>Stopping…</source>
        <translation>Deteniendo…</translation>
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
        <source>Another model was asked. Ask again to see what this one says.</source>
        <translation>Se preguntó a otro modelo. Vuelve a preguntar para ver qué dice este.</translation>
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
    <name>UpdateCard</name>
    <message>
        <source>This Waggle</source>
        <translation>Este Waggle</translation>
    </message>
    <message>
        <source>Look now</source>
        <translation>Mirar ahora</translation>
    </message>
    <message>
        <source>Install and open again</source>
        <translation>Instalar y abrir de nuevo</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Waggle stays open. Practice stops after the round that was under way.</source>
        <translation>Waggle sigue abierto. La práctica se detiene tras la ronda que estaba en curso.</translation>
    </message>
    <message>
        <source>Asking the update source…</source>
        <translation>Preguntando a la fuente de actualizaciones…</translation>
    </message>
    <message>
        <source>Looking for the newest…</source>
        <translation>Buscando el más reciente…</translation>
    </message>
    <message>
        <source>Ready. This round is finished first, then Waggle closes.</source>
        <translation>Listo. Primero termina esta ronda, después Waggle se cierra.</translation>
    </message>
</context>
<context>
    <name>Updates</name>
    <message>
        <source>This is Waggle {}.</source>
        <translation>Este es Waggle {}.</translation>
    </message>
    <message>
        <source>Waggle {} is the newest.</source>
        <translation>Waggle {} es el más reciente.</translation>
    </message>
    <message>
        <source>Waggle {newest} is there. You have {installed}.</source>
        <translation>Ya está Waggle {newest}. Tú tienes {installed}.</translation>
    </message>
    <message>
        <source>Looking for the newest…</source>
        <translation>Buscando el más reciente…</translation>
    </message>
    <message>
        <source>Downloading: {done} of {total}</source>
        <translation>Descargando: {done} de {total}</translation>
    </message>
    <message>
        <source>Unpacking it and trying it out…</source>
        <translation>Desempaquetándolo y probándolo…</translation>
    </message>
    <message>
        <source>It came as a package of your system. Your system&apos;s package manager updates Waggle, and Waggle leaves that alone.</source>
        <translation>Llegó como paquete de tu sistema. El gestor de paquetes actualiza Waggle, y Waggle no interviene.</translation>
    </message>
    <message>
        <source>It runs from its source. Update it the way you got it; Waggle leaves that alone.</source>
        <translation>Funciona desde su código fuente. Actualízalo como lo obtuviste; Waggle no interviene.</translation>
    </message>
    <message>
        <source>It lies in {place}, which you may not change. Ask whoever put it there, or move it to a folder of your own.</source>
        <translation>Está en {place}, que no puedes cambiar. Pregunta a quien lo puso allí, o muévelo a una carpeta tuya.</translation>
    </message>
    <message>
        <source>No update source is built into it. Get newer ones from where you got this one.</source>
        <translation>No lleva incorporada ninguna fuente de actualizaciones. Obtén los más nuevos donde obtuviste este.</translation>
    </message>
    <message>
        <source>Waggle {} did not start here, so the one before came back.</source>
        <translation>Waggle {} no arrancó aquí, así que volvió el anterior.</translation>
    </message>
    <message>
        <source>It could not be put in place, since something of Waggle ran on without the window, such as practice in a terminal. End that, then install it again.</source>
        <translation>No se pudo poner en su sitio porque algo de Waggle seguía en marcha sin la ventana, como la práctica en una terminal. Termínalo e instálala de nuevo.</translation>
    </message>
    <message>
        <source>{} to download.</source>
        <translation>{} por descargar.</translation>
    </message>
    <message>
        <source>Last looked: {}.</source>
        <translation>Última consulta: {}.</translation>
    </message>
</context>
<context>
    <name>UpdatesSection</name>
    <message>
        <source>When there is something newer</source>
        <translation>Cuando haya algo más nuevo</translation>
    </message>
    <message>
        <source>Tell me</source>
        <translation>Avísame</translation>
    </message>
    <message>
        <source>Install it by itself</source>
        <translation>Instalarlo por sí mismo</translation>
    </message>
    <message>
        <source>Never look</source>
        <translation>No mirar nunca</translation>
    </message>
    <message>
        <source>By itself it is installed when you quit Waggle, never during a round.</source>
        <translation>Por sí mismo se instala cuando cierras Waggle, nunca durante una ronda.</translation>
    </message>
    <message>
        <source>Newer releases</source>
        <translation>Versiones más nuevas</translation>
    </message>
</context>
<context>
    <name>Updating</name>
    <message>
        <source>There is a newer Waggle: {}</source>
        <translation>Ya hay un Waggle más nuevo: {}</translation>
    </message>
    <message>
        <source>To install it, open Settings, Updates.</source>
        <translation>Para instalarlo, abre Ajustes, Actualizaciones.</translation>
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
    <name>WelcomeWizard</name>
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
        <source>Quietly, without a window in your way, and begins to practise, within your rules. The system has the last word on it.</source>
        <translation>En silencio, sin una ventana por medio, y empieza a practicar, según tus reglas. El sistema tiene la última palabra.</translation>
    </message>
    <message>
        <source>Few: when practice stops for trouble, at a milestone, and when there is a newer Waggle. Never for rounds.</source>
        <translation>Pocas: cuando la práctica se detiene por un problema, en un hito y cuando hay un Waggle más nuevo. Nunca por rondas.</translation>
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
        <source>Notifications</source>
        <translation>Notificaciones</translation>
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
        <translation>Los demás te ven como</translation>
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
        <source>not yet</source>
        <translation>aún no</translation>
    </message>
    <message>
        <source>{} puzzles tried</source>
        <translation>{} acertijos intentados</translation>
    </message>
    <message>
        <source>1 puzzle tried</source>
        <translation>1 acertijo intentado</translation>
    </message>
    <message>
        <source>{tried},
and {others} of others looked at</source>
        <translation>{tried},
y {others} de otros vistos</translation>
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
    <name>_Parts</name>
    <message>
        <source>Waggle brings {} parts along that others made. Thank you.</source>
        <translation>Waggle trae {} partes que hicieron otros. Gracias.</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Parte</translation>
    </message>
    <message>
        <source>Text of the licence</source>
        <translation>Texto de la licencia</translation>
    </message>
    <message>
        <source>It comes without a text of its own.</source>
        <translation>Viene sin un texto propio.</translation>
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
<context>
    <name>_Removed</name>
    <message>
        <source>Bring it back</source>
        <translation>Recuperarlo</translation>
    </message>
    <message>
        <source>Removed {}; it is asked no more from the next start of practice on.</source>
        <translation>Se quitó {}; desde el próximo inicio de la práctica ya no se le pregunta.</translation>
    </message>
    <message>
        <source>Removed {}, but the invite of your swarm names it, too.</source>
        <translation>Se quitó {}, pero la invitación de tu enjambre también lo nombra.</translation>
    </message>
</context>
</TS>
